"""Heads for two texts as ONNX nodes: rows of all first texts, then of all second texts, to scores."""

from __future__ import annotations

import math

from heedful.network.encoders.encoders_onnx import Weights
from heedful.network.heads.heads import EPSILON
from heedful.network.onnx_graph import Graph


def gated_scores(graph: Graph, weights: Weights, rows: str) -> str:
    """F_p[i] = M_p[i] W_p[i], F_h[i] = M_h[i] W_h[i]; F_p ⊙ F_h into one ReLU layer."""
    n_hops, width, _ = weights["head.first"].shape
    sides = _sides(graph, rows, n_hops, width)
    by_hop = [graph.node("Transpose", side, perm=[1, 0, 2]) for side in sides]  # (hop, batch, width)
    first, second = (
        graph.node("MatMul", side, graph.matrix(weights[f"head.{name}"]))
        for side, name in zip(by_hop, ("first", "second"), strict=True)
    )  # (hop, batch, gate)
    together = graph.node("Transpose", graph.node("Mul", first, second), perm=[1, 0, 2])  # (batch, hop, gate)
    return _answer(graph, weights, graph.node("Flatten", together))


def concat_scores(graph: Graph, weights: Weights, rows: str) -> str:
    """Both embeddings, flat and side by side, into one ReLU layer."""
    flat = weights["head.inner.weight"].shape[1] // 2  # hop · width
    return _answer(graph, weights, graph.node("Concat", *_sides(graph, rows, flat), axis=1))


def likeness_scores(graph: Graph, weights: Weights, rows: str) -> str:
    """|u − v|, u ⊙ v and the cosine of the two vectors, where it is directed u − v too, and a linear answer."""
    linear = weights["head.vector.map.weight"]
    vector = graph.node("MatMul", graph.node("Flatten", rows), graph.matrix(linear.T))  # (2 · batch, vector)
    length = graph.node("Max", graph.node("ReduceL2", vector, axes=[1], keepdims=1), graph.constant(EPSILON))
    unit = graph.node("Div", vector, length)
    one, two = _sides(graph, graph.node("Mul", unit, graph.constant(math.sqrt(len(linear)))), len(linear))
    apart, product = graph.node("Sub", one, two), graph.node("Mul", one, two)
    is_directed = weights["head.answer.weight"].shape[1] == 3 * len(linear) + 1
    seen = [apart] if is_directed else []
    seen += [graph.node("Abs", apart), product, graph.node("ReduceMean", product, axes=[1], keepdims=1)]
    return _linear(graph, weights, graph.node("Concat", *seen, axis=1), "head.answer")


PAIR_HEADS = {"gated": gated_scores, "concat": concat_scores, "likeness": likeness_scores}


def _sides(graph: Graph, rows: str, *shape: int) -> tuple[str, str]:
    """Return the first half and the second half of a batch of pairs, each (batch, *shape).

    An odd number of texts cannot be shaped so: ONNX Runtime says it, where it would die of an empty half.
    """
    both = graph.node("Reshape", rows, graph.constant([2, -1, *shape]))
    return graph.node("Gather", both, graph.constant(0)), graph.node("Gather", both, graph.constant(1))


def _answer(graph: Graph, weights: Weights, flat: str) -> str:
    hidden = graph.node("Relu", _linear(graph, weights, flat, "head.inner"))
    return _linear(graph, weights, hidden, "head.answer")


def _linear(graph: Graph, weights: Weights, x: str, name: str) -> str:
    return graph.node(
        "Gemm", x, graph.matrix(weights[f"{name}.weight"]), graph.matrix(weights[f"{name}.bias"]), transB=1
    )
