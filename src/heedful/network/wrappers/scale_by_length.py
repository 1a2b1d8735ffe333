"""An encoder that knows how many vectors there are."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heedful.network.protocols import Encoder, Neighbours

TYPICAL = 16.0  # vectors: the states of so many are as large in both halves


class ScaleByLength(nn.Module):
    """Keeps each state beside itself times the number of vectors.

    Attention has weights that sum to 1, so a row is a mean, and twice as many of the same atoms give the same row. Of
    these states the second half of a row is a sum: it grows with the number, as the size of a molecule should count.
    """

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.width = 2 * encoder.width

    def forward(self, x: Tensor, mask: Tensor, *near: Neighbours) -> Tensor:
        """Map (batch, time, width_in) to (batch, time, 2 · encoder's width), 0 on pads."""
        states = self.encoder(x, mask, *near)
        number = mask.sum(1)[:, None, None] / TYPICAL  # (batch, 1, 1)
        return torch.cat([states, states * number], dim=-1)
