"""A linear answer to the vector of a text, as ONNX nodes."""

from __future__ import annotations

from heedful.network.heads.mapped import EPSILON
from heedful.network.heads.sum_onnx import give_sum
from heedful.network.heads.vector_onnx import vector_of
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_layers import row_lengths
from heedful.network.poolers.pooled_onnx import Pooled


def mapped_scores(graph: Graph, weights: Weights, pooled: Pooled) -> None:
    """The vector, scaled to length 1, and a linear answer: a sum over tokens, divided by the vector's length."""
    answer, bias = weights["head.answer.weight"], graph.matrix(weights["head.answer.bias"])
    vector = vector_of(graph, pooled.rows, graph.matrix(weights["head.vector.map.weight"].T))
    length = row_lengths(graph, vector, epsilon=EPSILON)
    scores = graph.node("Gemm", graph.node("Div", vector, length), graph.matrix(answer), bias, transB=1)
    graph.output("scores", scores, [pooled.axis, "class"])
    linear = graph.matrix((answer @ weights["head.vector.map.weight"]).T)  # (hop · width, class)
    give_sum(graph, pooled, linear, bias, length=length)
