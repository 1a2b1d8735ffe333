"""What comes in, as vectors: ids looked up at a cost that does not grow with the vocabulary, and vectors scaled."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Embed(nn.Module):
    """A table of vectors, row 0 for the pad.

    Gradients are sparse: a step touches the rows of its own batch and no others, so 400,000 words cost what 20,000 do.
    """

    def __init__(self, n_ids: int, embed_width: int, *, tune: bool = True) -> None:
        super().__init__()
        self.width = embed_width
        self.weight = nn.Parameter(torch.randn(n_ids, embed_width) * 0.1, requires_grad=tune)
        with torch.no_grad():
            self.weight[0] = 0.0

    def forward(self, ids: Tensor) -> Tensor:
        """Map ids (batch, time) to vectors (batch, time, width)."""
        return nn.functional.embedding(ids, self.weight, padding_idx=0, sparse=True)


class OneHot(nn.Module):
    """A 1 in a place of its own for each id, 0 elsewhere; the pad is all 0."""

    def __init__(self, n_ids: int) -> None:
        super().__init__()
        self.width = n_ids

    def forward(self, ids: Tensor) -> Tensor:
        """Map ids (batch, time) to vectors (batch, time, n_ids)."""
        return nn.functional.one_hot(ids, self.width).float() * (ids > 0)[:, :, None]


class Scaled(nn.Module):
    """Vectors that came from outside, each column shifted and scaled as it was in training."""

    mean: Tensor
    spread: Tensor

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("spread", torch.ones(width))

    def forward(self, vectors: Tensor) -> Tensor:
        """Map vectors (batch, time, width) to the same shape."""
        return (vectors - self.mean) / self.spread
