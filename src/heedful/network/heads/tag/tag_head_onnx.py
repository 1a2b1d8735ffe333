"""The head of a tagger as ONNX nodes."""

from __future__ import annotations

from heedful.network.heads.sum_onnx import give_token_sum
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_layers import linear
from heedful.network.poolers.pooled_onnx import Pooled

STEPS = "head.crf.steps"


def tag_scores(graph: Graph, weights: Weights, pooled: Pooled) -> None:
    """Map rows (batch, time, width) to scores (batch, time, label).

    A CRF has no nodes: its steps from label to label are an output, `steps`, and who runs the graph finds the best row.
    Without an inner layer the scores are sums, and the parts of these are outputs too.
    """
    rows = pooled.rows
    if STEPS in weights:
        graph.output("steps", graph.constant(weights[STEPS]), ["label before", "label after"])
    is_linear = "head.inner.weight" not in weights
    if not is_linear:
        rows = graph.node("Relu", linear(graph, weights, rows, "head.inner"))
    answer, bias = graph.matrix(weights["head.answer.weight"].T), graph.matrix(weights["head.answer.bias"])
    scores = graph.node("Add", graph.node("MatMul", rows, answer), bias)
    graph.output("scores", scores, [pooled.axis, "hop", "class"])
    if is_linear:
        give_token_sum(graph, pooled, answer, bias)
