"""Attention by position."""

from __future__ import annotations

import math

from torch import Tensor, nn

from heedful.network.encoders.positions import positions


class Location(nn.Module):
    """(W q) · place(t): of a key only its place counts (Luong 2015, for texts of any length)."""

    def __init__(self, query_width: int, *, width: int) -> None:
        super().__init__()
        self.query_width, self.width = query_width, width
        self.query_size = math.sqrt(6.0 / width)  # a place has squared length width / 2; `map` begins as in General
        self.map = nn.Linear(query_width, width, bias=False)

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Map queries (batch, query, width) and keys (batch, key, width) to scores (batch, query, key)."""
        scores = self.map(queries) @ positions(keys.shape[-2], self.width).to(queries).T
        for_each_text = scores.new_zeros(*keys.shape[:-2], 1, 1)
        return scores + for_each_text  # type: ignore[no-any-return]
