"""The full head as ONNX nodes."""

from __future__ import annotations

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_layers import linear_of_rows
from heedful.network.poolers.pooled_onnx import Pooled


def full_scores(graph: Graph, weights: Weights, pooled: Pooled) -> None:
    """All of M into one ReLU layer."""
    hidden = linear_of_rows(graph, weights, graph.node("Flatten", pooled.rows), "head.inner")
    scores = linear_of_rows(graph, weights, graph.node("Relu", hidden), "head.answer")
    graph.output("scores", scores, [pooled.axis, "class"])
