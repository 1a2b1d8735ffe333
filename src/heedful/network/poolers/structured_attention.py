"""The structured self-attention of Lin et al. 2017, and its penalty."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heedful.network.masks import masked_softmax


class StructuredAttention(nn.Module):
    """A = softmax(W_s2 tanh(W_s1 Hᵀ)), M = A H.

    | paper | here                                   |
    |-------|----------------------------------------|
    | H     | states, (batch, time, width)           |
    | W_s1  | `inner`, attention_width × width (d_a) |
    | W_s2  | `hops`, n_hops × attention_width (r)   |
    | A     | weights, (batch, hop, time)            |
    | M     | rows, (batch, hop, width)              |
    """

    def __init__(self, width: int, *, n_hops: int, attention_width: int) -> None:
        super().__init__()
        self.n_hops = n_hops
        self.inner = nn.Linear(width, attention_width, bias=False)
        self.hops = nn.Linear(attention_width, n_hops, bias=False)

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Map states (batch, time, width) to rows (batch, hop, width) and weights (batch, hop, time)."""
        scores = self.hops(torch.tanh(self.inner(states))).transpose(1, 2)  # (batch, hop, time)
        weights = masked_softmax(scores, mask[:, None, :])
        return weights @ states, weights


def penalty(weights: Tensor) -> Tensor:
    """Return ‖A Aᵀ − I‖² (Eq. 8, the squared Frobenius norm) of each example: (batch, hop, time) to (batch,).

    Pads have weight 0, so neither padding nor the company in the batch changes it.
    """
    overlap = weights @ weights.transpose(1, 2)  # (batch, hop, hop)
    apart = torch.eye(weights.shape[1], dtype=weights.dtype, device=weights.device)
    return (overlap - apart).square().sum(dim=(1, 2))
