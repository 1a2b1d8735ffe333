"""The encoder of BERT and its relatives as ONNX nodes."""

from __future__ import annotations

import math

from heedful.network.masks_onnx import LOW
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs
from heedful.network.onnx_layers import gelu, linear, norm


def bert_states(
    graph: Graph, weights: Weights, x: str, inputs: Inputs, *, n_layers: int, n_heads: int, norm_epsilon: float
) -> str:
    """So many layers and heads; the weights of layer i are also the output `looks_i` (batch, head, time, time)."""
    h = linear(graph, weights, x, "encoder.enter") if "encoder.enter.weight" in weights else x
    h = graph.node("Add", h, _positions(graph, weights, inputs))
    h = norm(graph, weights, h, "encoder.norm_enter", epsilon=norm_epsilon)
    mask = graph.node("Unsqueeze", inputs.mask, graph.constant([1, 2]))  # (batch, 1, 1, time)
    distances = _scores_of_distances(graph, weights, inputs) if "encoder.distances.weight" in weights else None
    for i in range(n_layers):
        name = f"encoder.layers.{i}"
        seen, looks = _attend(graph, weights, h, mask, distances, name=f"{name}.attention", n_heads=n_heads)
        h = norm(graph, weights, graph.node("Add", h, seen), f"{name}.norm_attention", epsilon=norm_epsilon)
        inner = gelu(graph, linear(graph, weights, h, f"{name}.widen"))
        connected = linear(graph, weights, inner, f"{name}.narrow")
        h = norm(graph, weights, graph.node("Add", h, connected), f"{name}.norm_connected", epsilon=norm_epsilon)
        graph.output(f"looks_{i + 1}", looks, ["batch", n_heads, "time", "time"])
    return graph.node("Mul", h, inputs.mask_column)


def _positions(graph: Graph, weights: Weights, inputs: Inputs) -> str:
    """Return the vectors of the positions (time, width)."""
    table = weights["encoder.positions.weight"]
    at = graph.node("Min", inputs.positions, graph.constant(len(table) - 1))
    return graph.node("Gather", graph.matrix(table), at)


def _scores_of_distances(graph: Graph, weights: Weights, inputs: Inputs) -> str:
    """Return what a distance adds to the score of a pair: (head, time, time)."""
    table = weights["encoder.distances.weight"]  # (distance, head)
    most = len(table) // 2
    keys = graph.node("Unsqueeze", inputs.positions, graph.constant([0]))
    queries = graph.node("Unsqueeze", inputs.positions, graph.constant([1]))
    apart = graph.node("Sub", graph.node("Add", keys, graph.constant(most)), queries)  # (query, key)
    within = graph.node("Max", graph.node("Min", apart, graph.constant(2 * most)), graph.constant(0))
    return graph.node("Transpose", graph.node("Gather", graph.matrix(table), within), perm=[2, 0, 1])


def _attend(
    graph: Graph, weights: Weights, x: str, mask: str, distances: str | None, *, name: str, n_heads: int
) -> tuple[str, str]:
    """Softmax(Q Kᵀ / √d_k + distances) V of each head, joined, and the weights (batch, head, time, time)."""
    width = weights[f"{name}.join.weight"].shape[0]
    q, k, v = (
        graph.node("Reshape", linear(graph, weights, x, f"{name}.{part}"), graph.constant([0, 0, n_heads, -1]))
        for part in ("queries", "keys", "values")
    )  # (batch, time, head, width of a head)
    q, v = (graph.node("Transpose", part, perm=[0, 2, 1, 3]) for part in (q, v))
    scores = graph.node("MatMul", q, graph.node("Transpose", k, perm=[0, 2, 3, 1]))  # (batch, head, time, time)
    scores = graph.node("Mul", scores, graph.constant(1.0 / math.sqrt(width // n_heads)))
    if distances is not None:
        scores = graph.node("Add", scores, distances)
    shares = graph.node("Softmax", graph.node("Where", mask, scores, graph.constant(LOW)), axis=-1)
    seen = graph.node("Transpose", graph.node("MatMul", shares, v), perm=[0, 2, 1, 3])
    seen = graph.node("Reshape", seen, graph.constant([0, 0, width]))
    return linear(graph, weights, seen, f"{name}.join"), shares
