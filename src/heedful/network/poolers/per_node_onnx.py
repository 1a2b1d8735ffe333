"""A row for each node of a graph as ONNX nodes."""

from __future__ import annotations

import math

from heedful.network.encoders.graph.edges_onnx import Edges, edges_of, softmax_near
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs
from heedful.network.onnx_layers import linear


def node_rows(graph: Graph, weights: Weights, states: str, inputs: Inputs) -> tuple[str, str]:
    """Every node asks its neighbours and itself; weights are (batch, time, time)."""
    edges, width = edges_of(graph, inputs), weights["pooler.keys.weight"].shape[0]
    keys = graph.node("MatMul", states, graph.matrix(weights["pooler.keys.weight"].T))
    q, k = (
        graph.node("Reshape", x, graph.constant([-1, width]))
        for x in (linear(graph, weights, states, "pooler.queries"), keys)
    )  # (batch · time, width)
    kinds = graph.node("Gather", graph.matrix(weights["pooler.link_keys"]), edges.kinds)
    keys = graph.node("Add", graph.node("Gather", k, edges.at), kinds)  # (edge, width)
    fit = graph.node("Mul", graph.node("Gather", q, edges.looks), keys)
    scores = graph.node("ReduceSum", fit, graph.constant([1]), keepdims=1)  # (edge, 1)
    scores = graph.node("Mul", scores, graph.constant(1.0 / math.sqrt(width)))
    among = _among_all(graph, softmax_near(graph, scores, edges, 1), edges, inputs)
    return graph.node("MatMul", among, states), among


def _among_all(graph: Graph, shares: str, edges: Edges, inputs: Inputs) -> str:
    """Map weights (edge, 1) to (batch, time, time)."""
    batch, time = (graph.node("Slice", edges.shape, graph.constant([i]), graph.constant([i + 1])) for i in (0, 1))
    square = graph.node("Concat", batch, time, time, axis=0)
    ground = graph.node("Expand", graph.constant([0.0]), graph.node("ReduceProd", square, keepdims=1))
    column = graph.node("Mod", edges.at, inputs.time)
    places = graph.node("Add", graph.node("Mul", edges.looks, inputs.time), column)  # (edge,)
    flat = graph.node("Reshape", shares, graph.constant([-1]))
    return graph.node("Reshape", graph.node("ScatterElements", ground, places, flat, axis=0), square)
