"""Atoms beside what stands around them, as ONNX nodes."""

from __future__ import annotations

from heedful.data.surroundings import SURROUNDINGS
from heedful.export.encoders import Weights
from heedful.export.graph import Graph
from heedful.export.inputs import Inputs
from heedful.export.scaled import scaled_vectors


def surrounded_vectors(graph: Graph, weights: Weights, inputs: Inputs) -> str:
    """Each atom's own vector beside the sum of those of the patterns around it: (batch, time, width)."""
    patterns = graph.input(SURROUNDINGS, ["batch", "time", "radius"])
    rows = graph.rows_of(weights["embed.patterns.weight"], patterns, name="patterns")  # (batch, time, radius, units)
    around = graph.node("ReduceSum", rows, graph.constant([2]), keepdims=0)
    return graph.node("Concat", scaled_vectors(graph, weights, inputs.arrays["vectors"]), around, axis=2)
