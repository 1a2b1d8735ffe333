"""Attention by direction as ONNX nodes."""

from __future__ import annotations

import math

import numpy as np

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.scores.content import EPSILON
from heedful.network.scores.products_onnx import dot_score


def content_score(graph: Graph, weights: Weights, queries: str, keys: str, name: str) -> str:
    """The cosine of q and k, times β."""
    sharp = graph.node("Mul", _unit(graph, queries), graph.constant(np.exp(weights[f"{name}.log_sharpness"])))
    return dot_score(graph, weights, sharp, _unit(graph, keys), name)


def _unit(graph: Graph, x: str) -> str:
    """Scale vectors to length 1; one of no length becomes 0."""
    length = graph.node("ReduceL2", x, axes=[-1], keepdims=1)
    is_none = graph.node("Less", length, graph.constant(EPSILON))
    return graph.node("Div", x, graph.node("Where", is_none, graph.constant(math.inf), length))
