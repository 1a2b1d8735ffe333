"""Graph attention networks (Veličković et al. 2018): few weights, for graphs of which few nodes are known."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heedful.network.dropout import Dropout
from heedful.network.encoders.graph.edges import Edges, edges_of
from heedful.network.protocols import Neighbours

SLOPE = 0.2  # of the leaky ReLU below 0


class GraphAttention(nn.Module):
    """Layers in which each vector becomes what its neighbours have to give, and nothing is kept beside.

    | Veličković et al. 2018                         | here                                                    |
    |------------------------------------------------|---------------------------------------------------------|
    | W h_j                                          | `give`, (batch · time, head, width of a head)           |
    | aᵀ [W h_i ‖ W h_j] = a_iᵀ W h_i + a_jᵀ W h_j   | `asks`, `answers`: (head, width of a head) each         |
    | α_ij = softmax_j(LeakyReLU(…))                 | weights, (edge, head); a kind of link adds to the score |
    | h'_i = ‖_heads ELU(Σ_j α_ij W h_j)             | states, (batch, time, width)                            |

    `NeighbourAttention` has layers that keep their input beside what they saw, and a fully connected part; it learns
    more from many molecules, and too much from 140 nodes.
    """

    def __init__(
        self,
        width_in: int,
        units: int,
        *,
        n_layers: int,
        n_heads: int,
        n_links: int = 3,
        dropout: float = 0.0,
        attention_dropout: float | None = None,  # None: as dropout
    ) -> None:
        super().__init__()
        if units % n_heads:
            raise ValueError(f"a width of {units} cannot be shared by {n_heads} heads")
        self.width = units
        widths = [width_in, *[units] * (n_layers - 1)]
        share = dropout if attention_dropout is None else attention_dropout
        self.layers = nn.ModuleList(
            [GraphLayer(width, units, n_heads=n_heads, n_links=n_links, dropout=share) for width in widths]
        )
        self.drop = Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor, neighbours: Neighbours) -> Tensor:
        """Map (batch, time, width_in) and neighbours (batch, time, near) to states (batch, time, width), 0 on pads."""
        edges = edges_of(mask, neighbours)
        for i, layer in enumerate(self.layers):
            x = layer(self.drop(x) if i else x, edges)
        return x * mask[:, :, None]


class GraphLayer(nn.Module):
    """h'_i = ‖_heads ELU(Σ_j α_ij W h_j)."""

    def __init__(self, width_in: int, width: int, *, n_heads: int, n_links: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.give = nn.Linear(width_in, width, bias=False)
        self.asks = nn.Parameter(torch.empty(n_heads, width // n_heads))
        self.answers = nn.Parameter(torch.empty(n_heads, width // n_heads))
        self.links = nn.Parameter(torch.zeros(n_links, n_heads))
        self.bias = nn.Parameter(torch.zeros(width))
        self.drop = Dropout(dropout)
        for weight in (self.give.weight, self.asks, self.answers):
            nn.init.xavier_uniform_(weight)

    def forward(self, x: Tensor, edges: Edges) -> Tensor:
        """Map (batch, time, width_in) to (batch, time, width)."""
        given = self.give(x).view(-1, self.n_heads, self.asks.shape[1])  # (batch · time, head, width of a head)
        asks, answers = ((given * part).sum(-1) for part in (self.asks, self.answers))  # (batch · time, head)
        scores = asks[edges.looks] + answers[edges.at] + self.links[edges.kinds]  # (edge, head)
        weights = self.drop(edges.softmax(nn.functional.leaky_relu(scores, SLOPE), len(given)))
        taken = weights[:, :, None] * given[edges.at]  # (edge, head, width of a head)
        seen = torch.zeros_like(given).index_add(0, edges.looks, taken).flatten(1) + self.bias
        return nn.functional.elu(seen).view(*x.shape[:2], -1)
