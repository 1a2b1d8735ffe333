"""An encoder that keeps its input."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heedful.network.protocols import Encoder, Neighbours


class KeepInput(nn.Module):
    """Keeps each token's own vector beside the state that an encoder makes of it.

    What a word means by itself is then always there, and the encoder has only to add what the context changes.
    """

    keeps_input = True  # the last columns of a state are the input itself

    def __init__(self, encoder: Encoder, width_in: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.width = encoder.width + width_in

    def forward(self, x: Tensor, mask: Tensor, *near: Neighbours) -> Tensor:
        """Map (batch, time, width_in) to (batch, time, encoder's width + width_in), 0 on pads."""
        return torch.cat([self.encoder(x, mask, *near), x * mask[:, :, None]], dim=-1)
