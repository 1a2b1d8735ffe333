"""Structured self-attention as ONNX nodes: over states, and over a table of tokens."""

from __future__ import annotations

import numpy as np

from heedful.network.masks_onnx import attend
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs


def structured_rows(graph: Graph, weights: Weights, states: str, inputs: Inputs) -> tuple[str, str]:
    """A = softmax(W_s2 tanh(W_s1 Hᵀ)), M = A H."""
    inner = graph.node("Tanh", graph.node("MatMul", states, graph.matrix(weights["pooler.inner.weight"].T)))
    scores = graph.node("MatMul", inner, graph.matrix(weights["pooler.hops.weight"].T))  # (batch, time, hop)
    return attend(graph, graph.node("Transpose", scores, perm=[0, 2, 1]), states, inputs)


def table_rows(graph: Graph, weights: Weights, states: str, inputs: Inputs) -> tuple[str, str]:
    """Structured attention over a static encoder: each word's scores are known beforehand, so they are looked up."""
    inner = np.tanh(weights["embed.weight"] @ weights["pooler.inner.weight"].T)
    table = inner @ weights["pooler.hops.weight"].T  # (id, hop)
    scores = graph.node("Gather", graph.matrix(table), inputs.ids)  # (batch, time, hop)
    return attend(graph, graph.node("Transpose", scores, perm=[0, 2, 1]), states, inputs)
