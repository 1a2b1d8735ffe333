"""Score functions as ONNX nodes: queries (batch, query, width) and keys (batch, key, width) to (batch, query, key).

Heads belong into the batch, by a Reshape before and after.
Queries that are constants, as those of hops are, cost nothing: ONNX Runtime works out what depends on them when it
loads.
"""

from __future__ import annotations

from heedful.lazy import imported
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.scores.parts import SCORES


def write_score(score: str, graph: Graph, weights: Weights, queries: str, keys: str, name: str) -> str:
    """Scores (batch, query, key) by this function, whose weights have this name."""
    return str(imported(SCORES[score].nodes)(graph, weights, queries, keys, name))
