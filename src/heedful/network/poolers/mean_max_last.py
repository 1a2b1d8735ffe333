"""The paper's baselines and [CLS]: one hop, no learned attention. Each still says what it read."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heedful.network.protocols import Neighbours


class MeanPooler(nn.Module):
    """The mean of the states: one hop with equal weights."""

    n_hops = 1

    is_weighted_sum = True  # rows are sums of states by the weights

    def forward(self, states: Tensor, mask: Tensor, *_: Neighbours) -> tuple[Tensor, Tensor]:
        """Map states (batch, time, width) to rows (batch, 1, width) and weights (batch, 1, time)."""
        weights = (mask / mask.sum(1, keepdim=True).clamp(min=1)).to(states.dtype)[:, None, :]  # (batch, 1, time)
        return weights @ states, weights


class MaxPooler(nn.Module):
    """The largest value in each column. A token's weight is the share of columns in which it is the largest."""

    n_hops = 1
    counts_winners = True  # a near-tie may go either way, and take a weight with it

    def forward(self, states: Tensor, mask: Tensor, *_: Neighbours) -> tuple[Tensor, Tensor]:
        """Map states (batch, time, width) to rows (batch, 1, width) and weights (batch, 1, time)."""
        low = torch.finfo(states.dtype).min
        row, winner = states.masked_fill(~mask[:, :, None], low).max(dim=1)  # (batch, width)
        some = mask.any(1)[:, None]  # (batch, 1): an empty text has no largest value
        share = torch.zeros_like(states[:, :, 0]).scatter_add_(1, winner, torch.ones_like(row)) / row.shape[1]
        return (row * some)[:, None, :], (share * some)[:, None, :]


class FirstPooler(nn.Module):
    """The state of the first token, such as [CLS]."""

    n_hops = 1

    is_weighted_sum = True  # rows are sums of states by the weights

    def forward(self, states: Tensor, mask: Tensor, *_: Neighbours) -> tuple[Tensor, Tensor]:
        """Map states (batch, time, width) to rows (batch, 1, width) and weights (batch, 1, time)."""
        first = mask & (mask.cumsum(1) == 1)
        weights = first.to(states.dtype)[:, None, :]  # (batch, 1, time)
        return weights @ states, weights


class LastPooler(nn.Module):
    """The state after the last token; of a bidirectional encoder, each direction's own last state.

    The backward half ends on the first token, so the two ends share the weight.
    """

    n_hops = 1

    def __init__(self, *, bidirectional: bool) -> None:
        super().__init__()
        self.bidirectional = bidirectional

    def forward(self, states: Tensor, mask: Tensor, *_: Neighbours) -> tuple[Tensor, Tensor]:
        """Map states (batch, time, width) to rows (batch, 1, width) and weights (batch, 1, time)."""
        last = (mask.sum(1) - 1).clamp(min=0)  # (batch,)
        final = torch.zeros_like(states[:, :, 0]).scatter_(1, last[:, None], 1.0)  # (batch, time)
        first = torch.zeros_like(final)
        first[:, 0] = 1.0
        if not self.bidirectional:
            weights = (final * mask)[:, None, :]  # (batch, 1, time)
            return weights @ states, weights
        ahead, back = states.chunk(2, dim=-1)
        ends = torch.stack([final * mask, first * mask], dim=1)  # (batch, 2, time)
        row = torch.cat([ends[:, :1] @ ahead, ends[:, 1:] @ back], dim=-1)  # (batch, 1, width)
        return row, ends.mean(1, keepdim=True)
