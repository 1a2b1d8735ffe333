"""Atoms beside what stands around them, as ONNX nodes."""

from __future__ import annotations

from heedful.inputs.molecule.environments import SURROUNDINGS
from heedful.network.encoders.encoders_onnx import Weights
from heedful.network.fronts.scaled_onnx import scaled_vectors
from heedful.network.onnx_graph import Graph
from heedful.network.onnx_inputs import Inputs


def surrounded_vectors(graph: Graph, weights: Weights, inputs: Inputs) -> str:
    """Each atom's own vector beside the sum of those of the patterns around it: (batch, time, width)."""
    patterns = graph.input(SURROUNDINGS, ["batch", "time", "radius"])
    rows = graph.rows_of(weights["embed.patterns.weight"], patterns, name="patterns")  # (batch, time, radius, units)
    around = graph.node("ReduceSum", rows, graph.constant([2]), keepdims=0)
    return graph.node("Concat", scaled_vectors(graph, weights, inputs.arrays["vectors"]), around, axis=2)
