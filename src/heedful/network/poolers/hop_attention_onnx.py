"""Hops by any score function as ONNX nodes."""

from __future__ import annotations

from heedful.network.masks_onnx import attend
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs
from heedful.network.poolers.structured_attention_onnx import structured_rows, table_rows
from heedful.network.scores.score import ADDITIVE
from heedful.network.scores.score_onnx import write_score


def hop_rows(
    graph: Graph, weights: Weights, states: str, inputs: Inputs, *, score: str, is_lookup: bool
) -> tuple[str, str]:
    """The paper's own nodes for the additive score, learned queries for others."""
    if score == ADDITIVE:
        return (table_rows if is_lookup else structured_rows)(graph, weights, states, inputs)
    queries = graph.matrix(weights["pooler.queries"][None])  # (1, hop, width)
    return attend(graph, write_score(score, graph, weights, queries, states, "pooler.score"), states, inputs)
