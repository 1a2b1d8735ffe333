"""The static encoder as ONNX nodes: none."""

from __future__ import annotations

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs


def static_states(_: Graph, __: Weights, x: str, ___: Inputs) -> str:
    """States are the vectors themselves."""
    return x
