"""A row for each node of a graph as ONNX nodes."""

from __future__ import annotations

from heedful.export.encoders import Weights
from heedful.export.graph import Graph
from heedful.export.inputs import Inputs
from heedful.export.neighbours import Edges, attend_near, edges_of


def each_near_pool(graph: Graph, weights: Weights, states: str, inputs: Inputs) -> tuple[str, str]:
    """Write rows in which every node asks its neighbours, and weights (batch, time, time)."""
    edges = edges_of(graph, inputs)
    seen, shares = attend_near(graph, weights, states, edges, name="pooler.attention", n_heads=1)
    rows = graph.node("Concat", states, seen, axis=2)  # (batch, time, 2 · width)
    return graph.node("Mul", rows, inputs.mask_column), _among_all(graph, shares, edges, inputs)


def _among_all(graph: Graph, shares: str, edges: Edges, inputs: Inputs) -> str:
    """Map weights (edge, 1) to (batch, time, time)."""
    batch, time = (graph.node("Slice", edges.shape, graph.constant([i]), graph.constant([i + 1])) for i in (0, 1))
    square = graph.node("Concat", batch, time, time, axis=0)
    ground = graph.node("Expand", graph.constant([0.0]), graph.node("ReduceProd", square, keepdims=1))
    column = graph.node("Mod", edges.at, inputs.time)
    places = graph.node("Add", graph.node("Mul", edges.looks, inputs.time), column)  # (edge,)
    flat = graph.node("Reshape", shares, graph.constant([-1]))
    return graph.node("Reshape", graph.node("ScatterElements", ground, places, flat, axis=0), square)
