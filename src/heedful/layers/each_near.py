"""A row for each node of a graph, where an answer is wanted for each."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heedful.layers.neighbours import Edges, NeighbourAttention, edges_of


class EachNear(nn.Module):
    """Every node is a hop of its own: its state asks those of its neighbours, and its row is the state and the answer.

    So the weights say which neighbours a node's label looked at, itself among them: as many hops as nodes.
    """

    n_hops = 0  # no fixed number

    def __init__(self, width: int, *, n_links: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.row_width = 2 * width
        self.attention = NeighbourAttention(width, n_heads=1, n_links=n_links, dropout=dropout)

    def forward(self, states: Tensor, mask: Tensor, near: Tensor, links: Tensor) -> tuple[Tensor, Tensor]:
        """Map states (batch, time, width) to rows (batch, time, 2 · width) and weights (batch, time, time), 0 on pads.

        A row of the weights is a node that looks, a column one that is looked at; both by `near` (batch, time, near).
        """
        edges = edges_of(mask, near, links)
        seen, weights = self.attention(states, edges)
        rows = torch.cat([states, seen], dim=-1)  # (batch, time, 2 · width)
        return rows * mask[:, :, None], _among_all(weights, edges, states)


def _among_all(weights: Tensor, edges: Edges, states: Tensor) -> Tensor:
    """Map weights (edge, 1) to (batch, time, time)."""
    batch, time, _ = states.shape
    places = edges.looks * time + edges.at % time
    return weights.new_zeros(batch * time * time).index_add(0, places, weights[:, 0]).view(batch, time, time)
