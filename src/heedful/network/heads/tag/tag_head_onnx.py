"""The head of a tagger as ONNX nodes."""

from __future__ import annotations

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_layers import linear
from heedful.network.poolers.pooled_onnx import Pooled

STEPS = "head.crf.steps"


def tag_scores(graph: Graph, weights: Weights, pooled: Pooled) -> None:
    """Map rows (batch, time, width) to scores (batch, time, label).

    A CRF has no nodes: its steps from label to label are an output, `steps`, and who runs the graph finds the best row.
    """
    rows = pooled.rows
    if STEPS in weights:
        graph.output("steps", graph.constant(weights[STEPS]), ["label before", "label after"])
    if "head.inner.weight" in weights:
        rows = graph.node("Relu", linear(graph, weights, rows, "head.inner"))
    graph.output("scores", linear(graph, weights, rows, "head.answer"), [pooled.axis, "hop", "class"])
