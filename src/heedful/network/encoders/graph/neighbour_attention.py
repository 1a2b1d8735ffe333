"""Self-attention among neighbours: each vector looks at those it is linked to, and at itself."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from heedful.network.dropout import Dropout
from heedful.network.encoders.graph.edges import Edges, edges_of
from heedful.network.protocols import Neighbours


class NeighbourAttention(nn.Module):
    """Layers in which each vector first looks at its neighbours, then is changed by itself (normalised before each).

    It knows no places: a set of vectors in another order gives the same states in that order.
    `n_links` counts the kinds of links with 0, for none, and 1, to itself.
    """

    def __init__(
        self,
        width_in: int,
        units: int,
        *,
        n_layers: int,
        n_heads: int,
        inner_units: int,
        n_links: int = 3,
        dropout: float = 0.0,
        attention_dropout: float | None = None,  # None: as dropout
    ) -> None:
        super().__init__()
        self.width = units
        self.enter = nn.Linear(width_in, units)
        self.layers = nn.ModuleList(
            [
                NeighbourLayer(
                    units,
                    n_heads=n_heads,
                    inner_units=inner_units,
                    n_links=n_links,
                    dropout=dropout,
                    attention_dropout=dropout if attention_dropout is None else attention_dropout,
                )
                for _ in range(n_layers)
            ]
        )
        self.leave = nn.LayerNorm(units)

    def forward(self, x: Tensor, mask: Tensor, neighbours: Neighbours) -> Tensor:
        """Map (batch, time, width_in) and neighbours (batch, time, near) to states (batch, time, width), 0 on pads."""
        states, edges = self.enter(x), edges_of(mask, neighbours)
        for layer in self.layers:
            states, _ = layer(states, edges)
        return self.leave(states) * mask[:, :, None]  # type: ignore[no-any-return]

    def looks(self, x: Tensor, mask: Tensor, neighbours: Neighbours) -> Tensor:
        """Return attention weights over neighbours: (batch, layer, head, time, near), exactly 0 on padding."""
        states, edges, by_layer = self.enter(x), edges_of(mask, neighbours), []
        for layer in self.layers:
            states, weights = layer(states, edges)
            by_layer.append(edges.in_lists(weights, neighbours.near.shape))
        return torch.stack(by_layer, dim=1)


class NeighbourLayer(nn.Module):
    """h ← h + attention(norm(h)); h ← h + connected(norm(h))."""

    def __init__(
        self,
        width: int,
        *,
        n_heads: int,
        inner_units: int,
        n_links: int,
        dropout: float = 0.0,
        attention_dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.norm_attention, self.norm_connected = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = EdgeAttention(width, n_heads=n_heads, n_links=n_links, dropout=attention_dropout)
        self.widen, self.narrow = nn.Linear(width, inner_units), nn.Linear(inner_units, width)
        self.drop = Dropout(dropout)

    def forward(self, states: Tensor, edges: Edges) -> tuple[Tensor, Tensor]:
        """Map (batch, time, width) to the same shape, and to the weights (edge, head) of the links."""
        seen, weights = self.attention(self.norm_attention(states), edges)
        states = states + self.drop(seen)
        inner = nn.functional.gelu(self.widen(self.norm_connected(states)))
        return states + self.drop(self.narrow(inner)), weights


class EdgeAttention(nn.Module):
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
