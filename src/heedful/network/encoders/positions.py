"""Where a token stands, as a vector: the same for a text of any length."""

from __future__ import annotations

import math

import torch
from torch import Tensor

BASE = 10_000.0  # the wavelengths go up to 2π times as much


def positions(time: int, width: int) -> Tensor:
    """Return (time, width): sines in the even columns, cosines in the odd ones."""
    steps = torch.arange(time, dtype=torch.float32)[:, None]
    # Exact before it is rounded, and so the same in an exported graph: at step 1,000 a last bit counts 1,000 times.
    speeds = torch.exp(torch.arange(0, width, 2, dtype=torch.float64) * (-math.log(BASE) / width)).float()
    table = torch.zeros(time, width)
    table[:, 0::2] = torch.sin(steps * speeds)
    table[:, 1::2] = torch.cos(steps * speeds)[:, : width // 2]
    return table
