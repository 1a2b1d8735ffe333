"""Softmax among real tokens as ONNX nodes."""

from __future__ import annotations

import numpy as np

from heedful.network.onnx_graph import Graph
from heedful.network.onnx_inputs import Inputs

LOW = float(np.finfo(np.float32).min)


def attend(graph: Graph, scores: str, states: str, inputs: Inputs) -> tuple[str, str]:
    """Return rows and weights from scores (batch, hop, time): exactly 0 on pads, all 0 for an empty text."""
    real = graph.node("Unsqueeze", inputs.mask, graph.constant([1]))
    shares = graph.node("Softmax", graph.node("Where", real, scores, graph.constant(LOW)), axis=-1)
    weights = graph.node("Mul", shares, inputs.mask_row)
    return graph.node("MatMul", weights, states), weights
