"""A head that ends in a vector, as ONNX nodes."""

from __future__ import annotations

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.poolers.pooled_onnx import Pooled


def vector_and_map(graph: Graph, weights: Weights, pooled: Pooled) -> None:
    """The vector, and what is needed to say which words made it: the states, and the map from rows to the vector."""
    linear = graph.matrix(weights["head.map.weight"].T)
    graph.output("vector", vector_of(graph, pooled.rows, linear), [pooled.axis, "vector"])
    graph.output("states", pooled.states, ["batch", "time", "width"])
    graph.output("map", linear, ["hops x width", "vector"])


def vector_of(graph: Graph, rows: str, linear: str) -> str:
    """A linear map of all of M."""
    return graph.node("MatMul", graph.node("Flatten", rows), linear)
