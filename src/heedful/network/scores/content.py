"""Attention by direction."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from heedful.network.scores.score import check_widths

SHARPNESS = 10.0  # e¹⁰ against e⁰: one key that fits can outweigh a thousand that do not
EPSILON = 1e-6  # a vector shorter than this has no direction that means anything


class Content(nn.Module):
    """β · cos(q, k) (Graves 2014): only the direction of a vector counts. β is learned, and always above 0.

    A cosine alone is at most 1, and its softmax over a long text would be all but flat.
    """

    query_size = 1.0

    def __init__(self, query_width: int, key_width: int) -> None:
        super().__init__()
        check_widths("content", query_width, key_width)
        self.query_width = query_width
        self.log_sharpness = nn.Parameter(torch.tensor([math.log(SHARPNESS)]))

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Map queries (batch, query, width) and keys (batch, key, width) to scores (batch, query, key)."""
        return self.log_sharpness.exp() * (unit(queries) @ unit(keys).transpose(-1, -2))


def unit(x: Tensor) -> Tensor:
    """Scale vectors to length 1; one of no length becomes 0 and takes no gradient (1 / ε would drown all others)."""
    length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    return x / length.masked_fill(length < EPSILON, torch.inf)  # type: ignore[no-any-return]
