"""The head of a tagger as ONNX nodes."""

from __future__ import annotations

from heedful.network.encoders.encoders_onnx import Weights
from heedful.network.onnx_graph import Graph

STEPS = "head.crf.steps"


def tag_scores(graph: Graph, weights: Weights, rows: str) -> str:
    """Map rows (batch, time, width) to scores (batch, time, label).

    A CRF has no nodes: its steps from label to label are an output, `steps`, and who runs the graph finds the best row.
    """
    if STEPS in weights:
        graph.output("steps", graph.constant(weights[STEPS]), ["label before", "label after"])
    if "head.inner.weight" in weights:
        rows = graph.node("Relu", _linear(graph, weights, rows, "head.inner"))
    return _linear(graph, weights, rows, "head.answer")


def _linear(graph: Graph, weights: Weights, x: str, name: str) -> str:
    product = graph.node("MatMul", x, graph.matrix(weights[f"{name}.weight"].T))
    return graph.node("Add", product, graph.matrix(weights[f"{name}.bias"]))
