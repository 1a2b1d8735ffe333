"""Where a token stands, as a vector: the same for a text of any length."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def places(time: int, width: int) -> Tensor:
    """Return (time, width): sines in the even columns, cosines in the odd ones."""
    steps = torch.arange(time, dtype=torch.float32)[:, None]
    # Exact before it is rounded, and so the same in an exported graph: at step 1,000 a last bit counts 1,000 times.
    speeds = torch.exp(torch.arange(0, width, 2, dtype=torch.float64) * (-math.log(10_000.0) / width)).float()
    table = torch.zeros(time, width)
    table[:, 0::2] = torch.sin(steps * speeds)
    table[:, 1::2] = torch.cos(steps * speeds)[:, : width // 2]
    return table
