"""Positions as ONNX nodes."""

from __future__ import annotations

import math

import numpy as np
from onnx import TensorProto

from heedful.network.encoders.positions import BASE
from heedful.network.onnx_graph import Graph


def positions_of(graph: Graph, time: str, width: int) -> str:
    """Sines in the even columns, cosines in the odd ones: (time, width), for any time."""
    columns = np.arange(width)
    speeds = np.exp((columns - columns % 2) * (-math.log(BASE) / width)).astype(np.float32)
    steps = graph.node("Cast", graph.node("Range", graph.constant(0), time, graph.constant(1)), to=TensorProto.FLOAT)
    angles = graph.node("Mul", graph.node("Unsqueeze", steps, graph.constant([1])), graph.constant(speeds))
    sines, cosines = (  # not cos a = sin(a + π/2): of a large angle, the sum is rounded
        graph.node("Mul", graph.node(wave, angles), graph.constant(np.where(columns % 2 == odd, 1.0, 0.0)))
        for odd, wave in enumerate(("Sin", "Cos"))
    )
    return graph.node("Add", sines, cosines)
