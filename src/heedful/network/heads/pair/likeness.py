"""How the vectors of two texts differ and agree."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from heedful.network.dropout import Dropout
from heedful.network.heads.mapped import EPSILON
from heedful.network.heads.pair.sides import sides
from heedful.network.heads.vector import VectorHead


class LikenessHead(nn.Module):
    """How two texts' vectors u and v, of length 1, differ and agree, and a linear answer to that.

    It sees |u − v|, u ⊙ v and the cosine. The order of the two texts changes nothing; where it is directed, as
    it is for several classes, it sees u − v as well: one text may follow from the other, and not the other from it.
    """

    def __init__(
        self,
        n_hops: int,
        width: int,
        n_classes: int,
        *,
        vector_width: int,
        directed: bool | None = None,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.directed = n_classes > 1 if directed is None else directed
        self.vector = VectorHead(n_hops, width, vector_width)
        self.drop = Dropout(dropout)
        self.answer = nn.Linear((2 + self.directed) * vector_width + 1, n_classes)

    def forward(self, rows: Tensor) -> Tensor:
        """Map rows (2 · batch, hop, width), firsts then seconds, to scores (batch, class)."""
        return self.answer(self.drop(self.compared(rows)))  # type: ignore[no-any-return]

    def compared(self, rows: Tensor) -> Tensor:
        """Map rows (2 · batch, hop, width) to what the answer sees (batch, feature), the cosine last.

        The vectors are scaled to length √vector_width, so that their numbers are near 1 and the answer can learn.
        """
        unit = nn.functional.normalize(self.vector(rows), dim=1, eps=EPSILON)
        u, v = sides(unit * math.sqrt(unit.shape[1]))  # (batch, vector_width)
        apart, product = u - v, u * v
        seen = [apart] if self.directed else []
        return torch.cat([*seen, apart.abs(), product, product.mean(1, keepdim=True)], dim=1)
