"""Atoms beside their environments, as ONNX nodes."""

from __future__ import annotations

from heedful.data.input_spec import SURROUNDINGS
from heedful.network.fronts.embed_onnx import scaled_vectors
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs


def environment_vectors(graph: Graph, weights: Weights, inputs: Inputs) -> str:
    """Each atom's own vector beside the sum of those of the patterns around it: (batch, time, width)."""
    patterns = graph.input(SURROUNDINGS, ["batch", "time", "radius"])
    rows = graph.rows_of(weights["embed.patterns.weight"], patterns, name="patterns")  # (batch, time, radius, units)
    around = graph.node("ReduceSum", rows, graph.constant([2]), keepdims=0)
    return graph.node("Concat", scaled_vectors(graph, weights, inputs), around, axis=2)
