"""Atoms as RDKit describes them and as what stands around them."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from heedful.network.fronts.embed import Embed, Scaled


class Surrounded(Scaled):
    """An atom's own vector, and beside it the sum of those learned for the patterns around it, as for words."""

    def __init__(self, width: int, *, n_surroundings: int, units: int, tune: bool = True) -> None:
        super().__init__(width)
        self.patterns = Embed(n_surroundings, units, tune=tune)
        self.width = width + units

    def forward(self, inputs: Mapping[str, Tensor]) -> Tensor:  # type: ignore[override]
        """Map vectors (batch, time, …) and surroundings (batch, time, radius) to (batch, time, width)."""
        around = self.patterns(inputs["surroundings"]).sum(2)  # (batch, time, units)
        return torch.cat([super().forward(inputs["vectors"]), around], dim=-1)
