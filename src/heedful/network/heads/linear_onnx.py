"""The linear head as ONNX nodes."""

from __future__ import annotations

from heedful.network.heads.sum_onnx import answer_bias, give_sum
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.poolers.pooled_onnx import Pooled


def linear_scores(graph: Graph, weights: Weights, pooled: Pooled) -> None:
    """A linear map of all of M, and the parts of the sum over tokens that it is."""
    linear, bias = graph.matrix(weights["head.answer.weight"].T), graph.matrix(answer_bias(weights))
    scores = graph.node("Gemm", graph.node("Flatten", pooled.rows), linear, bias)
    graph.output("scores", pooled.with_wide(graph, scores), [pooled.axis, "class"])
    give_sum(graph, pooled, linear, bias)
