"""A row for each token as ONNX nodes."""

from __future__ import annotations

from heedful.network.masks_onnx import attend
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs
from heedful.network.scores.score_onnx import write_score


def token_rows(graph: Graph, weights: Weights, states: str, inputs: Inputs, *, score: str) -> tuple[str, str]:
    """Every token asks all others, scored by this function."""
    scores = write_score(score, graph, weights, states, states, "pooler.score")  # (batch, time, time)
    seen, looked = attend(graph, scores, states, inputs)
    rows = graph.node("Concat", states, seen, axis=2)  # (batch, time, 2 · width)
    return graph.node("Mul", rows, inputs.mask_column), graph.node("Mul", looked, inputs.mask_column)
