"""Hops by any score function."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heedful.network.masks import masked_softmax
from heedful.network.poolers.structured_attention import StructuredAttention
from heedful.network.protocols import Neighbours
from heedful.network.scores.parts import SCORES
from heedful.network.scores.score import ADDITIVE, Score, build_score


class HopAttention(nn.Module):
    """Each hop is a learned query; its weights are the softmax of that query's scores over the states.

    Lin et al.'s hops are one way to score; they stay in `StructuredAttention`, by the paper's formula and names.
    """

    is_weighted_sum = True  # rows are sums of states by the weights

    def __init__(self, score: Score, *, n_hops: int) -> None:
        super().__init__()
        self.n_hops = n_hops
        self.score = score
        self.queries = nn.Parameter(score.query_size * torch.randn(n_hops, score.query_width))

    def forward(self, states: Tensor, mask: Tensor, *_: Neighbours) -> tuple[Tensor, Tensor]:
        """Map states (batch, time, width) to rows (batch, hop, width) and weights (batch, hop, time)."""
        scores = self.score(self.queries[None], states)  # (batch, hop, time)
        weights = masked_softmax(scores, mask[:, None, :])
        return weights @ states, weights


def hops_of(width: int, *, score: str, n_hops: int, attention_width: int) -> StructuredAttention | HopAttention:
    """Make the attention over states: the paper's own layer for the additive score, learned queries for others."""
    if score == ADDITIVE:
        return StructuredAttention(width, n_hops=n_hops, attention_width=attention_width)
    query_width = width if SCORES[score].one_width else attention_width
    scores = build_score(score, query_width=query_width, key_width=width, width=attention_width)
    return HopAttention(scores, n_hops=n_hops)
