"""The two texts of each pair, and a layer over both, as ONNX nodes."""

from __future__ import annotations

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_layers import linear_of_rows


def sides_of(graph: Graph, rows: str, *shape: int) -> tuple[str, str]:
    """Return the first half and the second half of a batch of pairs, each (batch, *shape).

    An odd number of texts cannot be shaped so: ONNX Runtime says it, where it would die of an empty half.
    """
    both = graph.node("Reshape", rows, graph.constant([2, -1, *shape]))
    return graph.node("Gather", both, graph.constant(0)), graph.node("Gather", both, graph.constant(1))


def hidden_scores(graph: Graph, weights: Weights, flat: str) -> str:
    """Scores (pair, class) from one ReLU layer over (pair, width)."""
    hidden = graph.node("Relu", linear_of_rows(graph, weights, flat, "head.inner"))
    return linear_of_rows(graph, weights, hidden, "head.answer")
