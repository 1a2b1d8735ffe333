"""A row for each node of a graph, where an answer is wanted for each."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from heedful.network.dropout import Dropout
from heedful.network.encoders.graph.edges import Edges, edges_of
from heedful.network.protocols import Neighbours


class PerNode(nn.Module):
    """Every node is a hop of its own: its state asks those of its neighbours and itself, M = A H.

    So the weights say which neighbours a node's label looked at, itself among them: as many hops as nodes.
    """

    n_hops = 0  # no fixed number

    def __init__(self, width: int, *, n_links: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.row_width = width
        self.queries, self.keys = nn.Linear(width, width), nn.Linear(width, width, bias=False)
        self.link_keys = nn.Parameter(torch.randn(n_links, width) / math.sqrt(width))
        self.drop = Dropout(dropout)

    def forward(self, states: Tensor, mask: Tensor, neighbours: Neighbours) -> tuple[Tensor, Tensor]:
        """Map states (batch, time, width) to rows of the same shape and weights (batch, time, time), 0 on pads.

        A row of the weights is a node that looks, a column one that is looked at; both by their links.
        """
        edges, flat = edges_of(mask, neighbours), states.flatten(0, 1)  # (batch · time, width)
        keys = self.keys(flat)[edges.at] + self.link_keys[edges.kinds]  # (edge, width)
        scores = (self.queries(flat)[edges.looks] * keys).sum(-1, keepdim=True) / math.sqrt(flat.shape[1])  # (edge, 1)
        weights = edges.softmax(scores, len(flat))
        rows = torch.zeros_like(flat).index_add(0, edges.looks, self.drop(weights) * flat[edges.at])
        return rows.view_as(states), _among_all(weights, edges, states)


def _among_all(weights: Tensor, edges: Edges, states: Tensor) -> Tensor:
    """Map weights (edge, 1) to (batch, time, time)."""
    batch, time, _ = states.shape
    places = edges.looks * time + edges.at % time
    return weights.new_zeros(batch * time * time).index_add(0, places, weights[:, 0]).view(batch, time, time)
