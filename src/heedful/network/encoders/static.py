"""No context at all."""

from __future__ import annotations

from torch import Tensor, nn


class StaticEncoder(nn.Module):
    """Leaves each vector as it is. A hop's score then depends on the word alone, and becomes a table on export."""

    keeps_input = True  # the last columns of a state are the input itself

    def __init__(self, width_in: int) -> None:
        super().__init__()
        self.width = width_in

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Map (batch, time, width) to itself, with 0 on pads."""
        return x * mask[:, :, None]
