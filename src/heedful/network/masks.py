"""Masks: True where there is a real token."""

from __future__ import annotations

import torch
from torch import Tensor


def mask_of(lengths: Tensor, time: int) -> Tensor:
    """Return a bool mask (batch, time) from lengths (batch,)."""
    return torch.arange(time, device=lengths.device) < lengths[:, None]


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Softmax over the last axis among the unmasked: exactly 0 elsewhere, all 0 where everything is masked.

    `scores` is (..., time); `mask` is bool and broadcasts to it.
    """
    low = torch.finfo(scores.dtype).min  # not -inf: a row of -inf would give NaN
    return torch.softmax(scores.masked_fill(~mask, low), dim=-1) * mask


def reversal(mask: Tensor) -> Tensor:
    """Return positions (batch, time) that reverse each text within its own length and leave pads in place."""
    time = mask.shape[1]
    lengths = mask.sum(1, keepdim=True)
    forward = torch.arange(time, device=mask.device).expand_as(mask)
    return torch.where(mask, lengths - 1 - forward, forward)
