"""The links of a batch of graphs, and a softmax over those of each vector, as ONNX nodes."""

from __future__ import annotations

from typing import NamedTuple

from heedful.network.masks_onnx import LOW
from heedful.network.onnx_graph import Graph
from heedful.network.onnx_inputs import Inputs


class Edges(NamedTuple):
    """Names of what `edges.py:Edges` holds, and of the shapes it came from."""

    looks: str  # (edge,)
    at: str  # (edge,)
    kinds: str  # (edge,)
    cells: str  # (edge,)
    n_cells: str  # (1,) batch · time · near
    shape: str  # (3,) batch, time, near


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


def softmax_near(graph: Graph, scores: str, edges: Edges, n_heads: int) -> str:
    """Return weights (edge, head) that sum to 1 over the links of each vector."""
    most = graph.node("Slice", edges.shape, graph.constant([2]), graph.constant([3]))
    lists = graph.node("Concat", graph.constant([-1]), most, graph.constant([n_heads]), axis=0)
    spread = graph.node("Reshape", _spread(graph, scores, edges, n_heads, empty=LOW), lists)
    shares = graph.node("Softmax", spread, axis=1)  # (batch · time, near, head)
    return graph.node("Gather", graph.node("Reshape", shares, graph.constant([-1, n_heads])), edges.cells)


def in_lists(graph: Graph, shares: str, edges: Edges, n_heads: int) -> str:
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
