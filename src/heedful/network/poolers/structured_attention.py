"""The structured self-attention of Lin et al. 2017, and its penalty."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heedful.network.masks import masked_softmax
from heedful.network.protocols import Neighbours


class StructuredAttention(nn.Module):
    """A = softmax(W_s2 tanh(W_s1 Hᵀ)), M = A H (Eq. 6 and 7).

    | paper              | here                                     |
    |--------------------|------------------------------------------|
    | n, 2u              | time, width                              |
    | d_a, r             | `attention_width`, `n_hops`              |
    | H, n × 2u          | states, (batch, time, width)             |
    | W_s1, d_a × 2u     | `inner.weight`, (attention_width, width) |
    | W_s2, r × d_a      | `hops.weight`, (hop, attention_width)    |
    | A, r × n           | weights, (batch, hop, time), 0 on pads   |
    | M, r × 2u          | rows, (batch, hop, width)                |
    | P = ‖A Aᵀ − I‖²_F  | `penalty` (Eq. 8)                        |
    """

    is_weighted_sum = True  # rows are sums of states by the weights

    def __init__(self, width: int, *, n_hops: int, attention_width: int) -> None:
        super().__init__()
        self.n_hops = n_hops
        self.inner = nn.Linear(width, attention_width, bias=False)
        self.hops = nn.Linear(attention_width, n_hops, bias=False)

    def forward(self, states: Tensor, mask: Tensor, *_: Neighbours) -> tuple[Tensor, Tensor]:
        """Map states (batch, time, width) to rows (batch, hop, width) and weights (batch, hop, time)."""
        inner = torch.tanh(self.inner(states))  # tanh(W_s1 Hᵀ)ᵀ, (batch, time, attention_width)
        scores = self.hops(inner).transpose(1, 2)  # W_s2 tanh(W_s1 Hᵀ), (batch, hop, time)
        weights = masked_softmax(scores, mask[:, None, :])  # A, (batch, hop, time)
        return weights @ states, weights  # M = A H, (batch, hop, width)


def penalty(weights: Tensor) -> Tensor:
    """Return P = ‖A Aᵀ − I‖²_F of each example: (batch, hop, time) to (batch,).

    Pads have weight 0, so neither padding nor the company in the batch changes it.
    """
    overlap = weights @ weights.transpose(1, 2)  # A Aᵀ, (batch, hop, hop)
    identity = torch.eye(weights.shape[1], dtype=weights.dtype, device=weights.device)
    return (overlap - identity).square().sum(dim=(1, 2))  # (batch,)
