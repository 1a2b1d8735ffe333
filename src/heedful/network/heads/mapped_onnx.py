"""A linear answer to the vector of a text, as ONNX nodes."""

from __future__ import annotations

from heedful.network.heads.mapped import EPSILON
from heedful.network.heads.sum_onnx import answer_bias, give_sum
from heedful.network.heads.vector_onnx import vector_of
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_layers import row_lengths
from heedful.network.poolers.pooled_onnx import Pooled


def mapped_scores(graph: Graph, weights: Weights, pooled: Pooled) -> None:
    """The vector, scaled to length 1, and a linear answer: a sum over tokens, divided by the vector's length."""
    linear = graph.matrix(weights["head.vector.map.weight"].T)  # (hop · width, vector)
    answer, bias = graph.matrix(weights["head.answer.weight"].T), graph.matrix(answer_bias(weights))
    vector = vector_of(graph, pooled.rows, linear)
    length = row_lengths(graph, vector, epsilon=EPSILON)
    scores = graph.node("Gemm", graph.node("Div", vector, length), answer, bias)
    graph.output("scores", pooled.with_wide(graph, scores), [pooled.axis, "class"])
    give_sum(graph, pooled, graph.node("MatMul", linear, answer), bias, length=length)
