"""Additive attention."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Additive(nn.Module):
    """v · tanh(W_q q + W_k k) (Bahdanau 2015)."""

    query_size = 1.0

    def __init__(self, query_width: int, key_width: int, *, width: int) -> None:
        super().__init__()
        self.query_width = query_width
        self.from_query = nn.Linear(query_width, width, bias=False)
        self.from_key = nn.Linear(key_width, width, bias=False)
        self.weigh = nn.Linear(width, 1, bias=False)

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Map queries (batch, query, width) and keys (batch, key, width) to scores (batch, query, key)."""
        pairs = self.from_query(queries).unsqueeze(-2) + self.from_key(keys).unsqueeze(-3)  # (batch, query, key, width)
        return self.weigh(torch.tanh(pairs)).squeeze(-1)  # type: ignore[no-any-return]
