"""States beside themselves times their number, as ONNX nodes."""

from __future__ import annotations

from onnx import TensorProto

from heedful.network.encoders.encoders_onnx import Encode, Weights
from heedful.network.onnx_graph import Graph
from heedful.network.onnx_inputs import Inputs

TYPICAL = 16.0  # as in network/wrappers/scale_by_length.py


def counted(encode: Encode) -> Encode:
    """Return the writer of an encoder that counts."""

    def states(graph: Graph, weights: Weights, x: str, inputs: Inputs) -> str:
        inner = {name.replace("encoder.encoder.", "encoder.", 1): value for name, value in weights.items()}
        found = encode(graph, inner, x, inputs)
        lengths = graph.node("Cast", inputs.lengths, to=TensorProto.FLOAT)
        number = graph.node("Div", graph.node("Unsqueeze", lengths, graph.constant([1, 2])), graph.constant(TYPICAL))
        return graph.node("Concat", found, graph.node("Mul", found, number), axis=2)

    return states
