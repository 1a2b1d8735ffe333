"""A row for each token as ONNX nodes."""

from __future__ import annotations

from heedful.network.encoders.encoders_onnx import Weights
from heedful.network.onnx_graph import Graph
from heedful.network.onnx_inputs import Inputs
from heedful.network.poolers.poolers_onnx import Pool, attend
from heedful.network.scores_onnx import SCORES


def each_pool(score: str) -> Pool:
    """Return the writer of rows in which every token asks all others, scored by this function."""

    def pool(graph: Graph, weights: Weights, states: str, inputs: Inputs) -> tuple[str, str]:
        scores = SCORES[score](graph, weights, states, states, "pooler.score")  # (batch, time, time)
        seen, looked = attend(graph, scores, states, inputs)
        rows = graph.node("Concat", states, seen, axis=2)  # (batch, time, 2 · width)
        return graph.node("Mul", rows, inputs.mask_column), graph.node("Mul", looked, inputs.mask_column)

    return pool
