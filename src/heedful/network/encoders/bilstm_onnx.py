"""The bidirectional LSTM as ONNX nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs

_ONNX_GATES = (0, 3, 1, 2)  # torch keeps input, forget, cell, output; ONNX wants input, output, forget, cell


def bilstm_states(graph: Graph, weights: Weights, x: str, inputs: Inputs) -> str:
    """One LSTM operator runs both directions, each over the true length of its text."""
    names = ("encoder.forwards", "encoder.backwards")
    w = np.stack([_onnx_order(weights[f"{name}.weight_ih_l0"]) for name in names])  # (direction, 4u, width)
    r = np.stack([_onnx_order(weights[f"{name}.weight_hh_l0"]) for name in names])  # (direction, 4u, u)
    biases = [np.concatenate([_onnx_order(weights[f"{n}.bias_{k}_l0"]) for k in ("ih", "hh")]) for n in names]
    units = r.shape[-1]
    by_time = graph.node("Transpose", x, perm=[1, 0, 2])  # (time, batch, width)
    states = graph.node(
        "LSTM",
        by_time,
        graph.matrix(w),
        graph.matrix(r),
        graph.matrix(np.stack(biases)),
        inputs.steps,
        hidden_size=units,
        direction="bidirectional",
    )  # (time, direction, batch, u)
    by_text = graph.node("Transpose", states, perm=[2, 0, 1, 3])  # (batch, time, direction, u)
    return graph.node("Reshape", by_text, graph.constant([0, 0, 2 * units]))  # (batch, time, 2u)


def _onnx_order(gates: NDArray[Any]) -> NDArray[Any]:
    """Reorder (4u, …) from torch's gates to ONNX's."""
    parts = np.split(gates, 4)
    return np.concatenate([parts[i] for i in _ONNX_GATES])
