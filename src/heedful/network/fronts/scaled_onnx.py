"""Vectors that came from outside, as ONNX nodes."""

from __future__ import annotations

from heedful.network.encoders.encoders_onnx import Weights
from heedful.network.onnx_graph import Graph


def scaled_vectors(graph: Graph, weights: Weights, vectors: str) -> str:
    """Each column shifted and scaled as it was in training."""
    shifted = graph.node("Sub", vectors, graph.matrix(weights["embed.mean"]))
    return graph.node("Div", shifted, graph.matrix(weights["embed.spread"]))
