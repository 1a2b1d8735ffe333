"""Ids to vectors, at a cost that does not grow with the vocabulary."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Embed(nn.Module):
    """A table of vectors, row 0 for the pad.

    Gradients are sparse: a step touches the rows of its own batch and no others, so 400,000 words cost what 20,000 do.
    """

    def __init__(self, n_ids: int, width: int, *, tune: bool = True) -> None:
        super().__init__()
        self.width = width
        self.weight = nn.Parameter(torch.randn(n_ids, width) * 0.1, requires_grad=tune)
        with torch.no_grad():
            self.weight[0] = 0.0

    def forward(self, ids: Tensor) -> Tensor:
        """Map ids (batch, time) to vectors (batch, time, width)."""
        return nn.functional.embedding(ids, self.weight, padding_idx=0, sparse=True)
