"""Graph attention networks as ONNX nodes."""

from __future__ import annotations

from heedful.network.encoders.graph.edges_onnx import Edges, column, edges_of, softmax_near
from heedful.network.encoders.graph.graph_attention import SLOPE
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs


def graph_attention_states(graph: Graph, weights: Weights, x: str, inputs: Inputs, *, n_layers: int) -> str:
    """So many layers."""
    edges = edges_of(graph, inputs)
    for i in range(n_layers):
        x = _layer(graph, weights, x, edges, name=f"encoder.layers.{i}")
    return graph.node("Mul", x, inputs.mask_column)


def _layer(graph: Graph, weights: Weights, x: str, edges: Edges, *, name: str) -> str:
    """What the neighbours have to give, weighed, of each head; then ELU."""
    n_heads, size = weights[f"{name}.asks"].shape
    given = graph.node("MatMul", x, graph.matrix(weights[f"{name}.give.weight"].T))
    given = graph.node("Reshape", given, graph.constant([-1, n_heads, size]))  # (batch · time, head, width of a head)
    asks, answers = (
        graph.node(
            "ReduceSum",
            graph.node("Mul", given, graph.matrix(weights[f"{name}.{part}"])),
            graph.constant([2]),
            keepdims=0,
        )
        for part in ("asks", "answers")
    )  # (batch · time, head)
    scores = graph.node("Add", graph.node("Gather", asks, edges.looks), graph.node("Gather", answers, edges.at))
    kinds = graph.node("Gather", graph.matrix(weights[f"{name}.links"]), edges.kinds)
    scores = graph.node("LeakyRelu", graph.node("Add", scores, kinds), alpha=SLOPE)  # (edge, head)
    shares = column(graph, softmax_near(graph, scores, edges, n_heads))
    taken = graph.node("Mul", graph.node("Gather", given, edges.at), shares)  # (edge, head, width of a head)
    taken = graph.node("Reshape", taken, graph.constant([-1, n_heads * size]))
    to = graph.node("Expand", graph.node("Unsqueeze", edges.looks, graph.constant([1])), graph.node("Shape", taken))
    nothing = graph.node("Reshape", graph.node("Mul", given, graph.constant(0.0)), graph.constant([-1, n_heads * size]))
    seen = graph.node("ScatterElements", nothing, to, taken, axis=0, reduction="add")  # (batch · time, width)
    seen = graph.node("Elu", graph.node("Add", seen, graph.matrix(weights[f"{name}.bias"])))
    places = graph.node("Slice", edges.shape, graph.constant([0]), graph.constant([2]))  # batch, time
    return graph.node("Reshape", seen, graph.node("Concat", places, graph.constant([n_heads * size]), axis=0))
