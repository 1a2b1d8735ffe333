"""How well a key answers a query: the score functions of attention, all with one face.

No score knows of masks: whoever asks does `masked_softmax`, so that every use is masked alike.
"""

from __future__ import annotations

import math
from typing import Protocol

import torch
from torch import Tensor, nn

from heedful.network.encoders.positions import places

KEY_SIZE = 0.3  # states begin with a spread of 0.1 (BiLSTM), 0.2 (CNN), 0.4 (word vectors) or 1 (transformer)
SHARPNESS = 10.0  # e¹⁰ against e⁰: one key that fits can outweigh a thousand that do not
EPSILON = 1e-6  # a vector shorter than this has no direction that means anything


class Score(Protocol):
    """Scores every key for every query. A batch of 1 on either side goes with each of the other side."""

    query_width: int
    query_size: float  # spread of a learned query's numbers with which scores begin near 1 in size

    def __call__(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Map queries (batch, query, width) and keys (batch, key, width) to scores (batch, query, key)."""


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


class Dot(nn.Module):
    """q · k (Luong 2015)."""

    def __init__(self, query_width: int, key_width: int) -> None:
        super().__init__()
        _check_widths("dot", query_width, key_width)
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
        _check_widths("scaled_dot", query_width, key_width)
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


class Content(nn.Module):
    """β · cos(q, k) (Graves 2014): only the direction of a vector counts. β is learned, and always above 0.

    A cosine alone is at most 1, and its softmax over a long text would be all but flat.
    """

    query_size = 1.0

    def __init__(self, query_width: int, key_width: int) -> None:
        super().__init__()
        _check_widths("content", query_width, key_width)
        self.query_width = query_width
        self.log_sharpness = nn.Parameter(torch.tensor([math.log(SHARPNESS)]))

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Map queries (batch, query, width) and keys (batch, key, width) to scores (batch, query, key)."""
        return self.log_sharpness.exp() * (unit(queries) @ unit(keys).transpose(-1, -2))


class Location(nn.Module):
    """(W q) · place(t): of a key only its place counts (Luong 2015, for texts of any length)."""

    def __init__(self, query_width: int, *, width: int) -> None:
        super().__init__()
        self.query_width, self.width = query_width, width
        self.query_size = math.sqrt(6.0 / width)  # a place has squared length width / 2; `map` begins as in General
        self.map = nn.Linear(query_width, width, bias=False)

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Map queries (batch, query, width) and keys (batch, key, width) to scores (batch, query, key)."""
        scores = self.map(queries) @ places(keys.shape[-2], self.width).to(queries).T
        for_each_text = scores.new_zeros(*keys.shape[:-2], 1, 1)
        return scores + for_each_text  # type: ignore[no-any-return]


def unit(x: Tensor) -> Tensor:
    """Scale vectors to length 1; one of no length becomes 0 and takes no gradient (1 / ε would drown all others)."""
    length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    return x / length.masked_fill(length < EPSILON, torch.inf)  # type: ignore[no-any-return]


def _check_widths(name: str, query_width: int, key_width: int) -> None:
    if query_width != key_width:
        raise ValueError(f"{name} needs queries and keys of one width, found {query_width} and {key_width}")
