"""States beside themselves times their number, as ONNX nodes."""

from __future__ import annotations

from onnx import TensorProto

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Encode, Inputs
from heedful.network.onnx_layers import weights_inside
from heedful.network.wrappers.scale_by_length import TYPICAL


def scale_by_length(encode: Encode) -> Encode:
    """Return the writer of an encoder that counts."""

    def states(graph: Graph, weights: Weights, x: str, inputs: Inputs) -> str:
        inner = encode(graph, weights_inside(weights), x, inputs)
        lengths = graph.node("Cast", inputs.lengths, to=TensorProto.FLOAT)
        number = graph.node("Div", graph.node("Unsqueeze", lengths, graph.constant([1, 2])), graph.constant(TYPICAL))
        return graph.node("Concat", inner, graph.node("Mul", inner, number), axis=2)

    return states
