"""Heads as ONNX nodes: rows to scores."""

from __future__ import annotations

from heedful.network.encoders.encoders_onnx import Weights
from heedful.network.onnx_graph import Graph


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


def vector_of(graph: Graph, rows: str, linear: str) -> str:
    """A linear map of all of M."""
    return graph.node("MatMul", graph.node("Flatten", rows), linear)


def mapped_scores(graph: Graph, weights: Weights, rows: str) -> str:
    """The vector, scaled to length 1, and a linear answer."""
    vector = vector_of(graph, rows, graph.matrix(weights["head.vector.map.weight"].T))
    length = graph.node("ReduceL2", vector, axes=[1], keepdims=1)
    unit = graph.node("Div", vector, graph.node("Max", length, graph.constant(1e-12)))
    return _linear(graph, weights, unit, "head.answer")


def _by_group(graph: Graph, weights: Weights, x: str, name: str) -> str:
    """Map (group, batch, in) to (batch, group · out)."""
    inner = graph.node("MatMul", x, graph.matrix(weights[name]))  # (group, batch, out)
    by_text = graph.node("Transpose", inner, perm=[1, 0, 2])
    return graph.node("Flatten", graph.node("Add", by_text, graph.matrix(weights[f"{name}_bias"])))


def _linear(graph: Graph, weights: Weights, x: str, name: str) -> str:
    return graph.node(
        "Gemm", x, graph.matrix(weights[f"{name}.weight"]), graph.matrix(weights[f"{name}.bias"]), transB=1
    )
