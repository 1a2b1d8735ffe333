"""The gated head as ONNX nodes."""

from __future__ import annotations

from heedful.network.heads.pair.gate_onnx import gates_of
from heedful.network.heads.pair.sides_onnx import hidden_scores, sides_of
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.poolers.pooled_onnx import Pooled


def gated_scores(graph: Graph, weights: Weights, pooled: Pooled) -> None:
    """F_p[i] = M_p[i] W_p[i], F_h[i] = M_h[i] W_h[i]; F_p ⊙ F_h into one ReLU layer."""
    n_hops, width, _ = weights["head.first"].shape
    sides = sides_of(graph, pooled.rows, n_hops, width)
    together = gates_of(graph, sides, [graph.matrix(weights[f"head.{name}"]) for name in ("first", "second")])
    scores = hidden_scores(graph, weights, together)
    graph.output("scores", scores, [pooled.axis, "class"])
