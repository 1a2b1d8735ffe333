"""Words and their characters as ONNX nodes."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs


def word_char_vectors(graph: Graph, weights: Weights, inputs: Inputs) -> str:
    """Each word's own vector beside the largest answer of each filter over its letters: (batch, time, width)."""
    words = graph.rows_of(weights["embed.weight"], inputs.ids, name="embed")
    return graph.node("Concat", words, _spelling(graph, weights, inputs.arrays["letters"]), axis=2)


def _spelling(graph: Graph, weights: Weights, letters: str) -> str:
    """Map (batch, time, letter) to (batch, time, units): a window one word high slides over the letters of each."""
    looked_up = graph.node("Gather", graph.matrix(weights["embed.letters.weight"]), letters)
    by_width = graph.node("Transpose", looked_up, perm=[0, 3, 1, 2])  # (batch, width, time, letter)
    kernel = np.expand_dims(weights["embed.window.weight"], 2)  # (units, width, 1, window)
    half = kernel.shape[-1] // 2
    seen = graph.node(
        "Conv", by_width, graph.matrix(kernel), graph.matrix(weights["embed.window.bias"]), pads=[0, half, 0, half]
    )  # (batch, units, time, letter)
    real = graph.node("Cast", graph.node("Greater", letters, graph.constant(0)), to=TensorProto.FLOAT)
    real_only = graph.node("Mul", graph.node("Relu", seen), graph.node("Unsqueeze", real, graph.constant([1])))
    return graph.node("Transpose", graph.node("ReduceMax", real_only, axes=[3], keepdims=0), perm=[0, 2, 1])
