"""What a head gets in the graph."""

from __future__ import annotations

from typing import NamedTuple

from heedful.network.onnx_graph import Graph


class Pooled(NamedTuple):
    """Names of values in the graph, and of an axis."""

    states: str  # (batch, time, width)
    rows: str  # (batch, hop, width), the paper's M
    axis: str  # the first axis of what the head gives: batch, pair or answer
    is_weighted_sum: bool = False  # whether the rows are sums of the states by the weights
    ends_in_sum: bool = False  # whether each token's row is its own state and such a sum, or the sum alone
    wide: str | None = None  # (batch, class), the scores of the n-grams

    def with_wide(self, graph: Graph, scores: str) -> str:
        """Add the scores of the n-grams, if there are any."""
        return scores if self.wide is None else graph.node("Add", scores, self.wide)
