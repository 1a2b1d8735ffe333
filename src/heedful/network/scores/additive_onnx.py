"""Additive attention as ONNX nodes."""

from __future__ import annotations

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_layers import without_bias


def additive_score(graph: Graph, weights: Weights, queries: str, keys: str, name: str) -> str:
    """The score v · tanh(W_q q + W_k k)."""
    asked = without_bias(graph, weights, queries, f"{name}.from_query")
    held = without_bias(graph, weights, keys, f"{name}.from_key")
    asked, held = (graph.node("Unsqueeze", x, graph.constant([axis])) for x, axis in ((asked, 2), (held, 1)))
    pairs = graph.node("Tanh", graph.node("Add", asked, held))  # (batch, query, key, width)
    return graph.node("Squeeze", without_bias(graph, weights, pairs, f"{name}.weigh"), graph.constant([3]))
