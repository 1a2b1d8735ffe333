"""Attention by position as ONNX nodes."""

from __future__ import annotations

from heedful.network.encoders.positions_onnx import positions_of
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_layers import without_bias


def location_score(graph: Graph, weights: Weights, queries: str, keys: str, name: str) -> str:
    """The product (W q) · place(t): as many texts as in queries, however many in keys, for all have the same places."""
    width = weights[f"{name}.map.weight"].shape[0]
    time = graph.node("Gather", graph.node("Shape", keys), graph.constant(1))
    there = graph.node("Transpose", positions_of(graph, time, width), perm=[1, 0])  # (width, key)
    return graph.node("MatMul", without_bias(graph, weights, queries, f"{name}.map"), there)
