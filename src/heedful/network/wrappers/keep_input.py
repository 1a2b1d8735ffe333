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

    def __init__(self, encoder: Encoder, width_in: int, *, context_dropout: float = 0.0) -> None:
        super().__init__()
        self.encoder, self.context_dropout = encoder, context_dropout
        self.width = encoder.width + width_in

    def forward(self, x: Tensor, mask: Tensor, *near: Neighbours) -> Tensor:
        """Map (batch, time, width_in) to (batch, time, encoder's width + width_in), 0 on pads."""
        context = self.encoder(x, mask, *near)
        if self.training and self.context_dropout > 0:
            context = context * self._kept(context)
        return torch.cat([context, x * mask[:, :, None]], dim=-1)

    def _kept(self, context: Tensor) -> Tensor:
        """Return 0 for a share of the inputs, which are then answered by their words alone, and more than 1 for others.

        Evidence that a word gives by itself is then read from the word, and not from its neighbours' states.
        """
        kept = torch.rand(len(context), 1, 1, device=context.device) >= self.context_dropout
        return kept / (1.0 - self.context_dropout)
