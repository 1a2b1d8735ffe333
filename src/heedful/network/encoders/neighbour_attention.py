"""Self-attention among neighbours: each vector looks at those it is linked to, and at itself."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from heedful.network.dropout import Dropout


class Edges(NamedTuple):
    """The links of a batch, one after the other: only they cost, not the empty places of a list of neighbours."""

    looks: Tensor  # (edge,) who looks, among all batch · time vectors
    at: Tensor  # (edge,) at whom
    kinds: Tensor  # (edge,) by what kind of link
    cells: Tensor  # (edge,) where the link stands in the flat list of all batch · time · near neighbours
    near: int

    def softmax(self, scores: Tensor, n_vectors: int) -> Tensor:
        """Return weights (edge, head) from scores (edge, head): those of one who looks sum to 1."""
        low = torch.finfo(scores.dtype).min
        spread = scores.new_full((n_vectors * self.near, scores.shape[1]), low).index_copy(0, self.cells, scores)
        shares = spread.view(n_vectors, self.near, scores.shape[1]).softmax(dim=1).flatten(0, 1)
        return shares.index_select(0, self.cells)

    def in_lists(self, weights: Tensor, shape: torch.Size) -> Tensor:
        """Map weights (edge, head) to (batch, head, time, near), 0 where there is no link."""
        batch, time, near = shape
        found = weights.new_zeros(batch * time * near, weights.shape[1]).index_copy(0, self.cells, weights)
        return found.view(batch, time, near, weights.shape[1]).permute(0, 3, 1, 2)


def edges_of(mask: Tensor, near: Tensor, links: Tensor) -> Edges:
    """Return the links (batch, time, near) above 0 between real vectors."""
    batch, time, most = near.shape
    at = near + torch.arange(batch, device=near.device)[:, None, None] * time  # among all batch · time vectors
    real = mask[:, :, None] & (links > 0) & mask.flatten()[at]
    cells = real.flatten().nonzero().squeeze(1)
    return Edges(cells // most, at.flatten()[cells], links.flatten()[cells], cells, most)


class Neighbours(nn.Module):
    """Layers in which each vector first looks at its neighbours, then is changed by itself (normalised before each).

    It knows no places: a set of vectors in another order gives the same states in that order.
    `n_links` counts the kinds of links with 0, for none, and 1, to itself.
    """

    def __init__(
        self,
        width_in: int,
        width: int,
        *,
        n_layers: int,
        n_heads: int,
        inner: int,
        n_links: int = 3,
        dropout: float = 0.0,
        attention_dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.width = width
        self.enter = nn.Linear(width_in, width)
        self.layers = nn.ModuleList(
            [
                NeighbourLayer(
                    width,
                    n_heads=n_heads,
                    inner=inner,
                    n_links=n_links,
                    dropout=dropout,
                    attention_dropout=attention_dropout,
                )
                for _ in range(n_layers)
            ]
        )
        self.leave = nn.LayerNorm(width)

    def forward(self, x: Tensor, mask: Tensor, near: Tensor, links: Tensor) -> Tensor:
        """Map (batch, time, width_in) and neighbours (batch, time, near) to states (batch, time, width), 0 on pads."""
        states, edges = self.enter(x), edges_of(mask, near, links)
        for layer in self.layers:
            states, _ = layer(states, edges)
        return self.leave(states) * mask[:, :, None]  # type: ignore[no-any-return]

    def looks(self, x: Tensor, mask: Tensor, near: Tensor, links: Tensor) -> Tensor:
        """Return how each looks at its neighbours: (batch, layer, head, time, near), exactly 0 where there is none."""
        states, edges, found = self.enter(x), edges_of(mask, near, links), []
        for layer in self.layers:
            states, weights = layer(states, edges)
            found.append(edges.in_lists(weights, near.shape))
        return torch.stack(found, dim=1)


class NeighbourLayer(nn.Module):
    """h ← h + attention(norm(h)); h ← h + connected(norm(h))."""

    def __init__(
        self,
        width: int,
        *,
        n_heads: int,
        inner: int,
        n_links: int,
        dropout: float = 0.0,
        attention_dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.norm_attention, self.norm_connected = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = NeighbourAttention(width, n_heads=n_heads, n_links=n_links, dropout=attention_dropout)
        self.widen, self.narrow = nn.Linear(width, inner), nn.Linear(inner, width)
        self.drop = Dropout(dropout)

    def forward(self, states: Tensor, edges: Edges) -> tuple[Tensor, Tensor]:
        """Map (batch, time, width) to the same shape, and to the weights (edge, head) of the links."""
        seen, weights = self.attention(self.norm_attention(states), edges)
        states = states + self.drop(seen)
        inner = nn.functional.gelu(self.widen(self.norm_connected(states)))
        return states + self.drop(self.narrow(inner)), weights


class NeighbourAttention(nn.Module):
    """Each vector takes from its neighbours what they have to give, and a kind of link has a part in it of its own.

    | paper (Shaw et al. 2018, with links for distances) | here                                                     |
    |----------------------------------------------------|----------------------------------------------------------|
    | x_i W^Q, x_j W^K, x_j W^V                          | q, k, v: (batch · time, width), the columns of all heads |
    | a_ij^K, a_ij^V                                     | a row of `link_keys`, `link_values`: (kind, width)       |
    | e_ij = x_i W^Q · (x_j W^K + a_ij^K) / √d           | scores, (edge, head)                                     |
    | z_i = Σ_j softmax(e_i)_j (x_j W^V + a_ij^V)        | seen, (batch · time, width); then `join`                 |
    """

    def __init__(self, width: int, *, n_heads: int, n_links: int, dropout: float = 0.0) -> None:
        super().__init__()
        if width % n_heads:
            raise ValueError(f"a width of {width} cannot be shared by {n_heads} heads")
        self.n_heads = n_heads
        self.queries, self.keys, self.values = (nn.Linear(width, width) for _ in range(3))
        self.link_keys = nn.Parameter(torch.randn(n_links, width) / math.sqrt(width))
        self.link_values = nn.Parameter(torch.randn(n_links, width) / math.sqrt(width))
        self.join = nn.Linear(width, width)
        self.drop = Dropout(dropout)

    def forward(self, states: Tensor, edges: Edges) -> tuple[Tensor, Tensor]:
        """Map (batch, time, width) to the same shape, and to the weights (edge, head) of the links."""
        q, k, v = (part(states).flatten(0, 1) for part in (self.queries, self.keys, self.values))
        keys = k.index_select(0, edges.at) + self.link_keys.index_select(0, edges.kinds)  # (edge, width)
        values = v.index_select(0, edges.at) + self.link_values.index_select(0, edges.kinds)  # (edge, width)
        scores = self._split(q.index_select(0, edges.looks) * keys).sum(-1)  # (edge, head)
        weights = edges.softmax(scores / math.sqrt(q.shape[1] // self.n_heads), len(q))
        given = self._split(values) * self.drop(weights)[:, :, None]  # (edge, head, width of a head)
        seen = torch.zeros_like(q).index_add(0, edges.looks, given.flatten(1))  # (batch · time, width)
        return self.join(seen).view_as(states), weights

    def _split(self, x: Tensor) -> Tensor:
        """Map (edge, width) to (edge, head, width of a head)."""
        return x.view(len(x), self.n_heads, x.shape[1] // self.n_heads)
