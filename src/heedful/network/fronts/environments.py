"""Atoms as RDKit describes them, and their environments."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from heedful.network.fronts.embed import Embed, Scaled


class Environments(Scaled):
    """An atom's own vector, and beside it the sum of those learned for the patterns around it, as for words."""

    def __init__(self, width: int, *, n_surroundings: int, embed_width: int, tune: bool = True) -> None:
        super().__init__(width)
        self.patterns = Embed(n_surroundings, embed_width, tune=tune)
        self.width = width + embed_width

    def forward(self, inputs: Mapping[str, Tensor]) -> Tensor:  # type: ignore[override]
        """Map vectors (batch, time, …) and surroundings (batch, time, radius) to (batch, time, width)."""
        around = self.patterns(inputs["surroundings"]).sum(2)  # (batch, time, embed_width)
        return torch.cat([super().forward(inputs["vectors"]), around], dim=-1)
