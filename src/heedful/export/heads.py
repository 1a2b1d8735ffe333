"""Heads as ONNX nodes: rows to scores."""

from __future__ import annotations

from heedful.export.encoders import Weights
from heedful.export.graph import Graph


def full_scores(graph: Graph, weights: Weights, rows: str) -> str:
    """All of M into one ReLU layer."""
    hidden = _linear(graph, weights, graph.node("Flatten", rows), "head.inner")
    return _linear(graph, weights, graph.node("Relu", hidden), "head.answer")


def pruned_scores(graph: Graph, weights: Weights, rows: str) -> str:
    """Units for each row and for each column of M, with weights of their own."""
    from_rows = _by_group(graph, weights, graph.node("Transpose", rows, perm=[1, 0, 2]), "head.by_row")
    from_columns = _by_group(graph, weights, graph.node("Transpose", rows, perm=[2, 0, 1]), "head.by_column")
    hidden = graph.node("Relu", graph.node("Concat", from_rows, from_columns, axis=1))
    return _linear(graph, weights, hidden, "head.answer")


def _by_group(graph: Graph, weights: Weights, x: str, name: str) -> str:
    """Map (group, batch, in) to (batch, group · out)."""
    inner = graph.node("MatMul", x, graph.constant(weights[name]))  # (group, batch, out)
    by_text = graph.node("Transpose", inner, perm=[1, 0, 2])
    return graph.node("Flatten", graph.node("Add", by_text, graph.constant(weights[f"{name}_bias"])))


def _linear(graph: Graph, weights: Weights, x: str, name: str) -> str:
    return graph.node(
        "Gemm", x, graph.constant(weights[f"{name}.weight"]), graph.constant(weights[f"{name}.bias"]), transB=1
    )
