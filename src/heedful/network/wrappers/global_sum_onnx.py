"""Each vector beside the sum of all, as ONNX nodes."""

from __future__ import annotations

from heedful.network.encoders.encoders_onnx import Encode, Weights
from heedful.network.onnx_graph import Graph
from heedful.network.onnx_inputs import Inputs
from heedful.network.wrappers.scale_by_length_onnx import TYPICAL


def whole(encode: Encode) -> Encode:
    """Return the writer of an encoder that sees the whole."""

    def states(graph: Graph, weights: Weights, x: str, inputs: Inputs) -> str:
        inner = {name.replace("encoder.encoder.", "encoder.", 1): value for name, value in weights.items()}
        real = graph.node("Mul", x, inputs.mask_column)
        total = graph.node("ReduceSum", real, graph.constant([1]), keepdims=1)  # (batch, 1, width)
        total = graph.node("Expand", graph.node("Div", total, graph.constant(TYPICAL)), graph.node("Shape", x))
        return encode(graph, inner, graph.node("Concat", x, total, axis=2), inputs)

    return states
