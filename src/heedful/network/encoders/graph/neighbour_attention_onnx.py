"""Attention among neighbours as ONNX nodes."""

from __future__ import annotations

import math

from heedful.network.encoders.graph.edges_onnx import Edges, column, edges_of, in_lists, softmax_near
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs
from heedful.network.onnx_layers import gelu, linear, norm


def neighbour_states(
    graph: Graph, weights: Weights, x: str, inputs: Inputs, *, n_layers: int, n_heads: int, need_looks: bool = False
) -> str:
    """So many layers and heads.

    Where looks are needed, the weights of layer i are an output, `looks_i` (batch, head, time, near), 0 where there is
    no link.
    """
    edges = edges_of(graph, inputs)
    h = linear(graph, weights, x, "encoder.enter")
    for i in range(n_layers):
        h, looks = _layer(graph, weights, h, edges, name=f"encoder.layers.{i}", n_heads=n_heads)
        if need_looks:
            by_place = in_lists(graph, looks, edges, n_heads)
            graph.output(f"looks_{i + 1}", by_place, ["batch", n_heads, "time", "near"])
    return graph.node("Mul", norm(graph, weights, h, "encoder.leave"), inputs.mask_column)


def _layer(graph: Graph, weights: Weights, h: str, edges: Edges, *, name: str, n_heads: int) -> tuple[str, str]:
    """H ← h + attention(norm(h)); h ← h + connected(norm(h))."""
    normed = norm(graph, weights, h, f"{name}.norm_attention")
    seen, looks = _attend(graph, weights, normed, edges, name=f"{name}.attention", n_heads=n_heads)
    h = graph.node("Add", h, seen)
    inner = linear(graph, weights, norm(graph, weights, h, f"{name}.norm_connected"), f"{name}.widen")
    return graph.node("Add", h, linear(graph, weights, gelu(graph, inner), f"{name}.narrow")), looks


def _attend(graph: Graph, weights: Weights, x: str, edges: Edges, *, name: str, n_heads: int) -> tuple[str, str]:
    """Softmax over the links of each vector, joined, and the weights (edge, head)."""
    width = weights[f"{name}.join.weight"].shape[0]
    q, k, v = (
        graph.node("Reshape", linear(graph, weights, x, f"{name}.{part}"), graph.constant([-1, width]))
        for part in ("queries", "keys", "values")
    )  # (batch · time, width)
    heads = graph.constant([0, n_heads, width // n_heads])
    keys, values = (
        graph.node(
            "Add",
            graph.node("Gather", side, edges.at),
            graph.node("Gather", graph.matrix(weights[f"{name}.link_{part}"]), edges.kinds),
        )
        for side, part in ((k, "keys"), (v, "values"))
    )  # (edge, width)
    fit = graph.node("Reshape", graph.node("Mul", graph.node("Gather", q, edges.looks), keys), heads)
    scores = graph.node("ReduceSum", fit, graph.constant([2]), keepdims=0)  # (edge, head)
    scores = graph.node("Mul", scores, graph.constant(1.0 / math.sqrt(width // n_heads)))
    shares = softmax_near(graph, scores, edges, n_heads)
    given = graph.node("Mul", graph.node("Reshape", values, heads), column(graph, shares))
    given = graph.node("Reshape", given, graph.constant([0, width]))  # (edge, width)
    to = graph.node("Expand", graph.node("Unsqueeze", edges.looks, graph.constant([1])), graph.node("Shape", given))
    nothing = graph.node("Mul", q, graph.constant(0.0))
    # Not ScatterND, whose sums ONNX Runtime makes by several threads at once, without waiting for each other.
    seen = graph.node("ScatterElements", nothing, to, given, axis=0, reduction="add")  # (batch · time, width)
    seen = graph.node("Reshape", seen, graph.node("Shape", x))
    return linear(graph, weights, seen, f"{name}.join"), shares
