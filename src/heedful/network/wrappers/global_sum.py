"""An encoder that sees the sum of all vectors beside each of them."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heedful.network.protocols import Encoder, Neighbours
from heedful.network.wrappers.scale_by_length import TYPICAL


class GlobalSum(nn.Module):
    """Gives an encoder the sum of all vectors beside each of them, so it must take vectors twice as wide.

    Neighbours know only what is a few links away. What atoms add to the molecule, such as its weight, is a sum over all
    of them; it is made here and not before, so that an atom left out is missing in the sum too.
    """

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.width = encoder.width

    def forward(self, x: Tensor, mask: Tensor, *near: Neighbours) -> Tensor:
        """Map (batch, time, width_in) to (batch, time, encoder's width), 0 on pads."""
        whole = (x * mask[:, :, None]).sum(1, keepdim=True) / TYPICAL  # (batch, 1, width_in)
        return self.encoder(torch.cat([x, whole.expand_as(x)], dim=-1), mask, *near)
