"""The pruned head as ONNX nodes."""

from __future__ import annotations

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_layers import linear_of_rows
from heedful.network.poolers.pooled_onnx import Pooled


def pruned_scores(graph: Graph, weights: Weights, pooled: Pooled) -> None:
    """Units for each row and for each column of M, with weights of their own."""
    from_rows = _by_group(graph, weights, graph.node("Transpose", pooled.rows, perm=[1, 0, 2]), "head.by_row")
    from_columns = _by_group(graph, weights, graph.node("Transpose", pooled.rows, perm=[2, 0, 1]), "head.by_column")
    hidden = graph.node("Relu", graph.node("Concat", from_rows, from_columns, axis=1))
    graph.output("scores", linear_of_rows(graph, weights, hidden, "head.answer"), [pooled.axis, "class"])


def _by_group(graph: Graph, weights: Weights, x: str, name: str) -> str:
    """Map (group, batch, in) to (batch, group · out)."""
    inner = graph.node("MatMul", x, graph.matrix(weights[name]))  # (group, batch, out)
    by_text = graph.node("Transpose", inner, perm=[1, 0, 2])
    return graph.node("Flatten", graph.node("Add", by_text, graph.matrix(weights[f"{name}_bias"])))
