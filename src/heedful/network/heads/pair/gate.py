"""The gate of the paper's pair model: rows of two texts, mapped and multiplied hop by hop."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def gates(first: Tensor, second: Tensor, first_weights: Tensor, second_weights: Tensor) -> Tensor:
    """Map rows (batch, hop, width) of both texts by weights (hop, width, gate) to their product (batch, hop, gate)."""
    return _by_hop(first, first_weights) * _by_hop(second, second_weights)


def gate_weights(n_hops: int, width: int, gate_units: int) -> Tensor:
    """Return weights (hop, width, gate). As a product follows, they begin larger than those of `nn.Linear`."""
    bound = math.sqrt(6.0 / width)
    return torch.empty(n_hops, width, gate_units).uniform_(-bound, bound)


def _by_hop(rows: Tensor, weights: Tensor) -> Tensor:
    """Map rows (batch, hop, width) by weights (hop, width, gate) to (batch, hop, gate)."""
    return torch.bmm(rows.transpose(0, 1).contiguous(), weights).transpose(0, 1).contiguous()
