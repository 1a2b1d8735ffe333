"""Tokens looked up, one-hot tokens, and vectors scaled, as ONNX nodes."""

from __future__ import annotations

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs


def embedded_vectors(graph: Graph, weights: Weights, inputs: Inputs) -> str:
    """A row of the table for each token."""
    return graph.rows_of(weights["embed.weight"], inputs.ids, name="embed")


def one_hot_vectors(graph: Graph, _: Weights, inputs: Inputs, *, n_ids: int) -> str:
    """A 1 in the place of each id; the pad is all 0."""
    hot = graph.node("OneHot", inputs.ids, graph.constant(n_ids), graph.constant([0.0, 1.0]))
    return graph.node("Mul", hot, inputs.mask_column)


def scaled_vectors(graph: Graph, weights: Weights, inputs: Inputs) -> str:
    """Each column shifted and scaled as it was in training."""
    shifted = graph.node("Sub", inputs.arrays["vectors"], graph.matrix(weights["embed.mean"]))
    return graph.node("Div", shifted, graph.matrix(weights["embed.spread"]))
