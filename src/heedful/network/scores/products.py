"""Dot products of queries and keys: plain, scaled, and by a matrix."""

from __future__ import annotations

import math

from torch import Tensor, nn

from heedful.network.scores.score import KEY_SIZE, check_widths


class Dot(nn.Module):
    """q · k (Luong 2015)."""

    def __init__(self, query_width: int, key_width: int) -> None:
        super().__init__()
        check_widths("dot", query_width, key_width)
        self.query_width = query_width
        self.query_size = 1.0 / (KEY_SIZE * math.sqrt(key_width))

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Map queries (batch, query, width) and keys (batch, key, width) to scores (batch, query, key)."""
        return queries @ keys.transpose(-1, -2)


class ScaledDot(nn.Module):
    """q · k / √width (Vaswani 2017)."""

    query_size = 1.0 / KEY_SIZE

    def __init__(self, query_width: int, key_width: int) -> None:
        super().__init__()
        check_widths("scaled_dot", query_width, key_width)
        self.query_width = query_width

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Map queries (batch, query, width) and keys (batch, key, width) to scores (batch, query, key)."""
        return queries @ keys.transpose(-1, -2) / math.sqrt(self.query_width)


class General(nn.Module):
    """q · W k (Luong 2015), computed as (Wᵀ q) · k: queries are fewer than keys, or as many."""

    def __init__(self, query_width: int, key_width: int) -> None:
        super().__init__()
        self.query_width = query_width
        self.query_size = math.sqrt(3.0 / key_width) / KEY_SIZE  # torch begins `map` with variance 1 / (3 · width in)
        self.map = nn.Linear(query_width, key_width, bias=False)

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Map queries (batch, query, width) and keys (batch, key, width) to scores (batch, query, key)."""
        return self.map(queries) @ keys.transpose(-1, -2)  # type: ignore[no-any-return]
