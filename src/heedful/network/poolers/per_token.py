"""A row for each token, where an answer is wanted for each."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heedful.network.masks import masked_softmax
from heedful.network.protocols import Neighbours
from heedful.network.scores.score import Score, build_score


class PerToken(nn.Module):
    """Every token is a hop of its own: its state asks, all states answer, and its row is the state and the answer.

    So the weights say what each token looked at, itself among the rest: as many hops as tokens.
    """

    n_hops = 0  # no fixed number

    def __init__(self, width: int, score: Score) -> None:
        super().__init__()
        self.row_width = 2 * width
        self.score = score

    def forward(self, states: Tensor, mask: Tensor, *_: Neighbours) -> tuple[Tensor, Tensor]:
        """Map states (batch, time, width) to rows (batch, time, 2 · width) and weights (batch, time, time), 0 on pads.

        A row of the weights is a token that looks, a column one that is looked at.
        """
        looked = masked_softmax(self.score(states, states), mask[:, None, :])
        weights = looked * mask[:, :, None]  # a pad looks at nothing
        rows = torch.cat([states, weights @ states], dim=-1)  # (batch, time, 2 · width)
        return rows * mask[:, :, None], weights


def per_token(width: int, *, score: str, attention_width: int) -> PerToken:
    """Make the layer with the score function of this name."""
    return PerToken(width, build_score(score, query_width=width, key_width=width, width=attention_width))
