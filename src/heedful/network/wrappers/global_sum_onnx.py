"""Each vector beside the sum of all, as ONNX nodes."""

from __future__ import annotations

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Encode, Inputs
from heedful.network.onnx_layers import weights_inside
from heedful.network.wrappers.scale_by_length import TYPICAL


def global_sum(encode: Encode) -> Encode:
    """Return the writer of an encoder that sees the sum of all vectors."""

    def states(graph: Graph, weights: Weights, x: str, inputs: Inputs) -> str:
        real = graph.node("Mul", x, inputs.mask_column)
        total = graph.node("ReduceSum", real, graph.constant([1]), keepdims=1)  # (batch, 1, width)
        total = graph.node("Expand", graph.node("Div", total, graph.constant(TYPICAL)), graph.node("Shape", x))
        return encode(graph, weights_inside(weights), graph.node("Concat", x, total, axis=2), inputs)

    return states
