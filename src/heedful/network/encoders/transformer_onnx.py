"""The transformer as ONNX nodes."""

from __future__ import annotations

import math

from heedful.network.encoders.positions_onnx import positions_of
from heedful.network.masks_onnx import LOW
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs
from heedful.network.onnx_layers import gelu, linear, norm
from heedful.network.scores.score import SCALED_DOT
from heedful.network.scores.score_onnx import write_score


def transformer_states(
    graph: Graph,
    weights: Weights,
    x: str,
    inputs: Inputs,
    *,
    n_layers: int,
    n_heads: int,
    places: bool = True,
    self_score: str = SCALED_DOT,
) -> str:
    """So many layers and heads.

    The weights of layer i are also an output, `looks_i` (batch, head, time, time), 0 where a pad is looked at. ONNX
    Runtime runs every node whatever is asked for: one that stacks them would cost at each run, these cost nothing.
    """
    h = linear(graph, weights, x, "encoder.enter")
    if places:
        h = graph.node("Add", h, positions_of(graph, inputs.time, weights["encoder.leave.weight"].shape[0]))
    for i in range(n_layers):
        h, looks = _layer(graph, weights, h, inputs, name=f"encoder.layers.{i}", n_heads=n_heads, score=self_score)
        graph.output(f"looks_{i + 1}", looks, ["batch", n_heads, "time", "time"])
    return graph.node("Mul", norm(graph, weights, h, "encoder.leave"), inputs.mask_column)


def _layer(
    graph: Graph, weights: Weights, h: str, inputs: Inputs, *, name: str, n_heads: int, score: str
) -> tuple[str, str]:
    """H ← h + attention(norm(h)); h ← h + connected(norm(h))."""
    normed = norm(graph, weights, h, f"{name}.norm_attention")
    seen, looks = _attend(graph, weights, normed, inputs, name=f"{name}.attention", n_heads=n_heads, score=score)
    h = graph.node("Add", h, seen)
    inner = linear(graph, weights, norm(graph, weights, h, f"{name}.norm_connected"), f"{name}.widen")
    return graph.node("Add", h, linear(graph, weights, gelu(graph, inner), f"{name}.narrow")), looks


def _attend(
    graph: Graph, weights: Weights, x: str, inputs: Inputs, *, name: str, n_heads: int, score: str
) -> tuple[str, str]:
    """Softmax(Q Kᵀ / √d_k) V of each head, joined, and the weights (batch, head, time, time)."""
    width = weights[f"{name}.join.weight"].shape[0]
    q, k, v = (
        graph.node("Reshape", linear(graph, weights, x, f"{name}.{part}"), graph.constant([0, 0, n_heads, -1]))
        for part in ("queries", "keys", "values")
    )  # (batch, time, head, width of a head)
    q, v = (graph.node("Transpose", part, perm=[0, 2, 1, 3]) for part in (q, v))
    if score == SCALED_DOT:
        scores = graph.node("MatMul", q, graph.node("Transpose", k, perm=[0, 2, 3, 1]))  # (batch, head, time, time)
        scores = graph.node("Mul", scores, graph.constant(1.0 / math.sqrt(width // n_heads)))
    else:
        scores = _scored(graph, weights, q, k, name=name, n_heads=n_heads, width=width // n_heads, score=score)
    real = graph.node("Unsqueeze", inputs.mask, graph.constant([1, 2]))
    shares = graph.node("Softmax", graph.node("Where", real, scores, graph.constant(LOW)), axis=-1)
    seen = graph.node("Transpose", graph.node("MatMul", shares, v), perm=[0, 2, 1, 3])
    seen = graph.node("Reshape", seen, graph.constant([0, 0, width]))
    return linear(graph, weights, seen, f"{name}.join"), shares


def _scored(graph: Graph, weights: Weights, q: str, k: str, *, name: str, n_heads: int, width: int, score: str) -> str:
    """Scores (batch, head, time, time) by any function: heads go into the batch and come out again."""
    time = graph.node("Unsqueeze", graph.node("Gather", graph.node("Shape", q), graph.constant(2)), graph.constant([0]))
    flat = graph.node("Concat", graph.constant([-1]), time, graph.constant([width]), axis=0)
    by_head = graph.node("Transpose", k, perm=[0, 2, 1, 3])
    queries, keys = (graph.node("Reshape", part, flat) for part in (q, by_head))  # (batch · head, time, width)
    scores = write_score(score, graph, weights, queries, keys, f"{name}.score")
    return graph.node("Reshape", scores, graph.node("Concat", graph.constant([-1, n_heads]), time, time, axis=0))
