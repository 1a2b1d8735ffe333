"""States beside the vectors they were made from, as ONNX nodes."""

from __future__ import annotations

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Encode, Inputs
from heedful.network.onnx_layers import weights_inside


def keep_input(encode: Encode) -> Encode:
    """Return the writer of an encoder that keeps its input."""

    def states(graph: Graph, weights: Weights, x: str, inputs: Inputs) -> str:
        return graph.node("Concat", encode(graph, weights_inside(weights), x, inputs), x, axis=2)

    return states
