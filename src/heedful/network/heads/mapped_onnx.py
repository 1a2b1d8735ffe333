"""A linear answer to the vector of a text, as ONNX nodes."""

from __future__ import annotations

from heedful.network.heads.mapped import EPSILON
from heedful.network.heads.vector_onnx import vector_of
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_layers import linear_of_rows, unit_rows
from heedful.network.poolers.pooled_onnx import Pooled


def mapped_scores(graph: Graph, weights: Weights, pooled: Pooled) -> None:
    """The vector, scaled to length 1, and a linear answer."""
    vector = vector_of(graph, pooled.rows, graph.matrix(weights["head.vector.map.weight"].T))
    unit = unit_rows(graph, vector, epsilon=EPSILON)
    graph.output("scores", linear_of_rows(graph, weights, unit, "head.answer"), [pooled.axis, "class"])
