"""Dot products of queries and keys as ONNX nodes."""

from __future__ import annotations

from onnx import TensorProto

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_layers import without_bias


def dot_score(graph: Graph, _: Weights, queries: str, keys: str, __: str) -> str:
    """The product q · k."""
    return graph.node("MatMul", queries, graph.node("Transpose", keys, perm=[0, 2, 1]))


def scaled_dot_score(graph: Graph, weights: Weights, queries: str, keys: str, name: str) -> str:
    """The product q · k / √width; no weights tell the width, so it is read from the keys."""
    width = graph.node("Cast", graph.node("Shape", keys, start=-1), to=TensorProto.FLOAT)
    return graph.node("Div", dot_score(graph, weights, queries, keys, name), graph.node("Sqrt", width))


def general_score(graph: Graph, weights: Weights, queries: str, keys: str, name: str) -> str:
    """The product q · W k, as (Wᵀ q) · k."""
    return dot_score(graph, weights, without_bias(graph, weights, queries, f"{name}.map"), keys, name)
