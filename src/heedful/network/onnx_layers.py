"""The layers of `torch.nn` that several parts use, as ONNX nodes."""

from __future__ import annotations

import math

from heedful.network.onnx_graph import Graph, Weights

NORM_EPSILON = 1e-5  # of `torch.nn.LayerNorm`


def linear(graph: Graph, weights: Weights, x: str, name: str) -> str:
    """A linear layer over x of any rank: (…, width) to (…, units)."""
    product = graph.product(x, weights[f"{name}.weight"].T)
    return graph.node("Add", product, graph.matrix(weights[f"{name}.bias"]))


def linear_of_rows(graph: Graph, weights: Weights, x: str, name: str) -> str:
    """A linear layer over x (batch, width) in one node."""
    return graph.node(
        "Gemm", x, graph.matrix(weights[f"{name}.weight"]), graph.matrix(weights[f"{name}.bias"]), transB=1
    )


def without_bias(graph: Graph, weights: Weights, x: str, name: str) -> str:
    """A linear layer that has no bias."""
    return graph.node("MatMul", x, graph.matrix(weights[f"{name}.weight"].T))


def norm(graph: Graph, weights: Weights, x: str, name: str, *, epsilon: float = NORM_EPSILON) -> str:
    """Each vector with mean 0 and variance 1, then scaled and shifted by learned numbers."""
    return graph.node(
        "LayerNormalization",
        x,
        graph.matrix(weights[f"{name}.weight"]),
        graph.matrix(weights[f"{name}.bias"]),
        axis=-1,
        epsilon=epsilon,
    )


def gelu(graph: Graph, x: str) -> str:
    """x · ½ (1 + erf(x / √2))."""  # noqa: D403
    share = graph.node("Erf", graph.node("Div", x, graph.constant(math.sqrt(2.0))))
    half = graph.node("Mul", x, graph.node("Add", share, graph.constant(1.0)))
    return graph.node("Mul", half, graph.constant(0.5))


def unit_rows(graph: Graph, vectors: str, *, epsilon: float) -> str:
    """Scale vectors (batch, width) to length 1; one shorter than epsilon stays short."""
    return graph.node("Div", vectors, row_lengths(graph, vectors, epsilon=epsilon))


def row_lengths(graph: Graph, vectors: str, *, epsilon: float) -> str:
    """Return the lengths (batch, 1) of vectors (batch, width), at least epsilon."""
    length = graph.node("ReduceL2", vectors, axes=[1], keepdims=1)
    return graph.node("Max", length, graph.constant(epsilon))


def weights_inside(weights: Weights) -> Weights:
    """Return the weights as the encoder inside a wrapper has them."""
    return {name.replace("encoder.encoder.", "encoder.", 1): value for name, value in weights.items()}
