"""Score functions as ONNX nodes: queries (batch, query, width) and keys (batch, key, width) to (batch, query, key).

Heads belong into the batch, by a Reshape before and after.
Queries that are constants, as those of hops are, cost nothing: ONNX Runtime works out what depends on them when it
loads.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from onnx import TensorProto

from heedful.network.encoders.encoders_onnx import Weights
from heedful.network.onnx_graph import Graph

EPSILON = 1e-6  # as in network/scores.py
WriteScore = Callable[[Graph, Weights, str, str, str], str]  # queries, keys, and the name that weights begin with


def additive_score(graph: Graph, weights: Weights, queries: str, keys: str, name: str) -> str:
    """The score v · tanh(W_q q + W_k k)."""
    asked = _map(graph, weights, queries, f"{name}.from_query")
    held = _map(graph, weights, keys, f"{name}.from_key")
    asked, held = (graph.node("Unsqueeze", x, graph.constant([axis])) for x, axis in ((asked, 2), (held, 1)))
    pairs = graph.node("Tanh", graph.node("Add", asked, held))  # (batch, query, key, width)
    return graph.node("Squeeze", _map(graph, weights, pairs, f"{name}.weigh"), graph.constant([3]))


def dot_score(graph: Graph, _: Weights, queries: str, keys: str, __: str) -> str:
    """The product q · k."""
    return graph.node("MatMul", queries, graph.node("Transpose", keys, perm=[0, 2, 1]))


def scaled_dot_score(graph: Graph, weights: Weights, queries: str, keys: str, name: str) -> str:
    """The product q · k / √width; no weights tell the width, so it is read from the keys."""
    width = graph.node("Cast", graph.node("Shape", keys, start=-1), to=TensorProto.FLOAT)
    return graph.node("Div", dot_score(graph, weights, queries, keys, name), graph.node("Sqrt", width))


def general_score(graph: Graph, weights: Weights, queries: str, keys: str, name: str) -> str:
    """The product q · W k, as (Wᵀ q) · k."""
    return dot_score(graph, weights, _map(graph, weights, queries, f"{name}.map"), keys, name)


def content_score(graph: Graph, weights: Weights, queries: str, keys: str, name: str) -> str:
    """The cosine of q and k, times β."""
    sharp = graph.node("Mul", _unit(graph, queries), graph.constant(np.exp(weights[f"{name}.log_sharpness"])))
    return dot_score(graph, weights, sharp, _unit(graph, keys), name)


def location_score(graph: Graph, weights: Weights, queries: str, keys: str, name: str) -> str:
    """The product (W q) · place(t): as many texts as in queries, however many in keys, for all have the same places."""
    width = weights[f"{name}.map.weight"].shape[0]
    time = graph.node("Gather", graph.node("Shape", keys), graph.constant(1))
    there = graph.node("Transpose", places_of(graph, time, width), perm=[1, 0])  # (width, key)
    return graph.node("MatMul", _map(graph, weights, queries, f"{name}.map"), there)


def places_of(graph: Graph, time: str, width: int) -> str:
    """Sines in the even columns, cosines in the odd ones: (time, width), for any time."""
    columns = np.arange(width)
    speeds = np.exp((columns - columns % 2) * (-math.log(10_000.0) / width)).astype(np.float32)
    steps = graph.node("Cast", graph.node("Range", graph.constant(0), time, graph.constant(1)), to=TensorProto.FLOAT)
    angles = graph.node("Mul", graph.node("Unsqueeze", steps, graph.constant([1])), graph.constant(speeds))
    sines, cosines = (  # not cos a = sin(a + π/2): of a large angle, the sum is rounded
        graph.node("Mul", graph.node(wave, angles), graph.constant(np.where(columns % 2 == odd, 1.0, 0.0)))
        for odd, wave in enumerate(("Sin", "Cos"))
    )
    return graph.node("Add", sines, cosines)


SCORES: dict[str, WriteScore] = {
    "additive": additive_score,
    "dot": dot_score,
    "scaled_dot": scaled_dot_score,
    "general": general_score,
    "content": content_score,
    "location": location_score,
}


def _unit(graph: Graph, x: str) -> str:
    """Scale vectors to length 1; one of no length becomes 0."""
    length = graph.node("ReduceL2", x, axes=[-1], keepdims=1)
    is_none = graph.node("Less", length, graph.constant(EPSILON))
    return graph.node("Div", x, graph.node("Where", is_none, graph.constant(math.inf), length))


def _map(graph: Graph, weights: Weights, x: str, name: str) -> str:
    return graph.node("MatMul", x, graph.matrix(weights[f"{name}.weight"].T))
