"""Layers that answer from two texts at once: rows of all first texts, then of all second texts."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from heedful.network.dropout import Dropout
from heedful.network.heads.heads import EPSILON, VectorHead


class GatedHead(nn.Module):
    """The paper's pair model (appendix): the encoder half of a gated autoencoder, then one ReLU layer.

    | paper    | here                                                                        |
    |----------|-----------------------------------------------------------------------------|
    | M_p, M_h | rows of the first and of the second text, (batch, hop, width) each          |
    | W_p, W_h | `first`, `second`: hop × width × gate_units; every hop has weights of its own |
    | F        | F_p ⊙ F_h with F_p[i] = M_p[i] W_p[i], F_h[i] = M_h[i] W_h[i], no bias      |
    """

    def __init__(
        self, n_hops: int, width: int, n_classes: int, *, gate_units: int, hidden: int, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.first = nn.Parameter(_uniform(n_hops, width, gate_units))
        self.second = nn.Parameter(_uniform(n_hops, width, gate_units))
        self.inner = nn.Linear(n_hops * gate_units, hidden)
        self.drop = Dropout(dropout)
        self.answer = nn.Linear(hidden, n_classes)

    def forward(self, rows: Tensor) -> Tensor:
        """Map rows (2 · batch, hop, width), firsts then seconds, to scores (batch, class)."""
        one, two = sides(rows)
        together = _by_hop(one, self.first) * _by_hop(two, self.second)  # (batch, hop, gate)
        return self.answer(self.drop(self.inner(together.flatten(1)).relu()))  # type: ignore[no-any-return]


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


class LikenessHead(nn.Module):
    """How two texts' vectors u and v, of length 1, differ and agree, and a linear answer to that.

    It sees |u − v|, u ⊙ v and the cosine. The order of the two texts changes nothing; where it is directed, it
    sees u − v as well: one text may follow from the other, and not the other from it.
    """

    def __init__(
        self, n_hops: int, width: int, n_classes: int, *, vector_width: int, directed: bool, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.directed = directed
        self.vector = VectorHead(n_hops, width, vector_width)
        self.drop = Dropout(dropout)
        self.answer = nn.Linear((2 + directed) * vector_width + 1, n_classes)

    def forward(self, rows: Tensor) -> Tensor:
        """Map rows (2 · batch, hop, width), firsts then seconds, to scores (batch, class)."""
        return self.answer(self.drop(self.compared(rows)))  # type: ignore[no-any-return]

    def compared(self, rows: Tensor) -> Tensor:
        """Map rows (2 · batch, hop, width) to what the answer sees (batch, feature), the cosine last.

        The vectors are scaled to length √vector_width, so that their numbers are near 1 and the answer can learn.
        """
        unit = nn.functional.normalize(self.vector(rows), dim=1, eps=EPSILON)
        one, two = sides(unit * math.sqrt(unit.shape[1]))  # (batch, vector_width)
        apart, product = one - two, one * two
        seen = [apart] if self.directed else []
        return torch.cat([*seen, apart.abs(), product, product.mean(1, keepdim=True)], dim=1)


def sides(rows: Tensor) -> tuple[Tensor, Tensor]:
    """Return the first half and the second half of a batch of pairs."""
    if len(rows) % 2:
        raise ValueError(f"found rows of {len(rows)} texts, expected an even number: firsts, then seconds")
    half = len(rows) // 2
    return rows[:half], rows[half:]


def _by_hop(rows: Tensor, weights: Tensor) -> Tensor:
    """Map rows (batch, hop, width) by weights (hop, width, gate) to (batch, hop, gate)."""
    return torch.bmm(rows.transpose(0, 1).contiguous(), weights).transpose(0, 1).contiguous()


def _uniform(n_hops: int, width: int, gate_units: int) -> Tensor:
    """Return weights (hop, width, gate). As a product follows, they begin larger than those of `nn.Linear`."""
    bound = math.sqrt(6.0 / width)
    return torch.empty(n_hops, width, gate_units).uniform_(-bound, bound)
