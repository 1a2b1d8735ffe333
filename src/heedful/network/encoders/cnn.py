"""Windows of tokens: the paper's CNN baseline."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn


class Cnn(nn.Module):
    """Convolutions of several widths side by side, each followed by ReLU; max pooling goes on top."""

    def __init__(self, width_in: int, units: int, *, kernel_sizes: Sequence[int] = (3, 4, 5)) -> None:
        super().__init__()
        self.width = units * len(kernel_sizes)
        self.windows = nn.ModuleList(nn.Conv1d(width_in, units, k) for k in kernel_sizes)
        self.kernel_sizes = tuple(kernel_sizes)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Map (batch, time, width_in) to states (batch, time, units · kernels), 0 on pads."""
        x = (x * mask[:, :, None]).transpose(1, 2)  # (batch, width_in, time): pads look like the end of the text
        seen = [window(_padded(x, k)) for window, k in zip(self.windows, self.kernel_sizes, strict=True)]
        states = torch.cat(seen, dim=1).relu().transpose(1, 2)
        return states * mask[:, :, None]  # (batch, time, units · kernels)


def _padded(x: Tensor, kernel_size: int) -> Tensor:
    """Add zeros at both ends so that the window gives one state for each token; an even window reaches right."""
    before = (kernel_size - 1) // 2
    return nn.functional.pad(x, (before, kernel_size - 1 - before))
