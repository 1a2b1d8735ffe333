"""Attention among neighbours as ONNX nodes."""

from __future__ import annotations

import math
from typing import NamedTuple

from heedful.network.encoders.encoders_onnx import Encode, Weights
from heedful.network.encoders.transformer_onnx import gelu, linear, norm
from heedful.network.onnx_graph import Graph
from heedful.network.onnx_inputs import Inputs
from heedful.network.poolers.poolers_onnx import LOW


class Edges(NamedTuple):
    """Names of what `network/encoders/neighbour_attention.py:Edges` holds, and of the shapes it came from."""

    looks: str  # (edge,)
    at: str  # (edge,)
    kinds: str  # (edge,)
    cells: str  # (edge,)
    n_cells: str  # (1,) batch · time · near
    shape: str  # (3,) batch, time, near


def neighbour_states(*, n_layers: int, n_heads: int, need_looks: bool = False) -> Encode:
    """Return the writer of so many layers and heads.

    Where looks are needed, the weights of layer i are an output, `looks_i` (batch, head, time, near), 0 where there is
    no link.
    """

    def states(graph: Graph, weights: Weights, x: str, inputs: Inputs) -> str:
        edges = edges_of(graph, inputs)
        h = linear(graph, weights, x, "encoder.enter")
        for i in range(n_layers):
            h, looks = _layer(graph, weights, h, edges, name=f"encoder.layers.{i}", n_heads=n_heads)
            if need_looks:
                in_lists = _in_lists(graph, looks, edges, n_heads)
                graph.output(f"looks_{i + 1}", in_lists, ["batch", n_heads, "time", "near"])
        return graph.node("Mul", norm(graph, weights, h, "encoder.leave"), inputs.mask_column)

    return states


def edges_of(graph: Graph, inputs: Inputs) -> Edges:
    """The links above 0 between real vectors, one after the other."""
    near, links = inputs.arrays["near"], inputs.arrays["links"]
    shape, flat = graph.node("Shape", near), graph.constant([-1])
    batch, most = (graph.node("Gather", shape, graph.constant(axis)) for axis in (0, 2))
    texts = graph.node("Range", graph.constant(0), batch, graph.constant(1))
    before = graph.node("Unsqueeze", graph.node("Mul", texts, inputs.time), graph.constant([1, 2]))
    at = graph.node("Add", near, before)  # (batch, time, near), among all batch · time vectors
    is_link = graph.node("And", graph.node("Greater", links, graph.constant(0)), column(graph, inputs.mask))
    real = graph.node("And", is_link, graph.node("Gather", graph.node("Reshape", inputs.mask, flat), at))
    cells = graph.node("Squeeze", graph.node("NonZero", graph.node("Reshape", real, flat)), graph.constant([0]))
    return Edges(
        looks=graph.node("Div", cells, most),
        at=graph.node("Gather", graph.node("Reshape", at, flat), cells),
        kinds=graph.node("Gather", graph.node("Reshape", links, flat), cells),
        cells=cells,
        n_cells=graph.node("ReduceProd", shape, keepdims=1),
        shape=shape,
    )


def _layer(graph: Graph, weights: Weights, h: str, edges: Edges, *, name: str, n_heads: int) -> tuple[str, str]:
    """H ← h + attention(norm(h)); h ← h + connected(norm(h))."""
    normed = norm(graph, weights, h, f"{name}.norm_attention")
    seen, looks = attend_near(graph, weights, normed, edges, name=f"{name}.attention", n_heads=n_heads)
    h = graph.node("Add", h, seen)
    inner = linear(graph, weights, norm(graph, weights, h, f"{name}.norm_connected"), f"{name}.widen")
    return graph.node("Add", h, linear(graph, weights, gelu(graph, inner), f"{name}.narrow")), looks


def attend_near(graph: Graph, weights: Weights, x: str, edges: Edges, *, name: str, n_heads: int) -> tuple[str, str]:
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


def softmax_near(graph: Graph, scores: str, edges: Edges, n_heads: int) -> str:
    """Return weights (edge, head) that sum to 1 over the links of each vector."""
    most = graph.node("Slice", edges.shape, graph.constant([2]), graph.constant([3]))
    lists = graph.node("Concat", graph.constant([-1]), most, graph.constant([n_heads]), axis=0)
    spread = graph.node("Reshape", _spread(graph, scores, edges, n_heads, empty=LOW), lists)
    shares = graph.node("Softmax", spread, axis=1)  # (batch · time, near, head)
    return graph.node("Gather", graph.node("Reshape", shares, graph.constant([-1, n_heads])), edges.cells)


def _in_lists(graph: Graph, shares: str, edges: Edges, n_heads: int) -> str:
    """Map weights (edge, head) to (batch, head, time, near)."""
    lists = graph.node("Concat", edges.shape, graph.constant([n_heads]), axis=0)
    spread = graph.node("Reshape", _spread(graph, shares, edges, n_heads, empty=0.0), lists)
    return graph.node("Transpose", spread, perm=[0, 3, 1, 2])


def _spread(graph: Graph, values: str, edges: Edges, n_heads: int, *, empty: float) -> str:
    """Map (edge, head) to (batch · time · near, head), with the same number in every empty place."""
    size = graph.node("Concat", edges.n_cells, graph.constant([n_heads]), axis=0)
    ground = graph.node("Expand", graph.constant([empty]), size)
    return graph.node("ScatterND", ground, graph.node("Unsqueeze", edges.cells, graph.constant([1])), values)


def column(graph: Graph, x: str) -> str:
    """Add an axis at the end of (…, …)."""
    return graph.node("Unsqueeze", x, graph.constant([2]))
