"""Both texts side by side into one layer."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heedful.network.dropout import Dropout
from heedful.network.heads.pair.sides import sides


class ConcatHead(nn.Module):
    """What the gate is compared with: both embeddings, flat and side by side, into one ReLU layer."""

    def __init__(self, n_hops: int, width: int, n_classes: int, *, hidden: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.inner = nn.Linear(2 * n_hops * width, hidden)
        self.drop = Dropout(dropout)
        self.answer = nn.Linear(hidden, n_classes)

    def forward(self, rows: Tensor) -> Tensor:
        """Map rows (2 · batch, hop, width), firsts then seconds, to scores (batch, class)."""
        both = torch.cat([side.flatten(1) for side in sides(rows)], dim=1)  # (batch, 2 · hop · width)
        return self.answer(self.drop(self.inner(both).relu()))  # type: ignore[no-any-return]
