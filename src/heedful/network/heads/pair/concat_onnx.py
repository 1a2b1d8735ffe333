"""Both texts side by side, as ONNX nodes."""

from __future__ import annotations

from heedful.network.heads.pair.sides_onnx import hidden_scores, sides_of
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.poolers.pooled_onnx import Pooled


def concat_scores(graph: Graph, weights: Weights, pooled: Pooled) -> None:
    """Both embeddings, flat and side by side, into one ReLU layer."""
    flat = weights["head.inner.weight"].shape[1] // 2  # hop · width
    both = graph.node("Concat", *sides_of(graph, pooled.rows, flat), axis=1)
    graph.output("scores", hidden_scores(graph, weights, both), [pooled.axis, "class"])
