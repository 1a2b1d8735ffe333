"""The links of a batch of graphs, and a softmax over those of each vector."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from heedful.network.protocols import Neighbours


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
        lists = weights.new_zeros(batch * time * near, weights.shape[1]).index_copy(0, self.cells, weights)
        return lists.view(batch, time, near, weights.shape[1]).permute(0, 3, 1, 2)


def edges_of(mask: Tensor, neighbours: Neighbours) -> Edges:
    """Return the links (batch, time, near) above 0 between real vectors."""
    near, links = neighbours
    batch, time, most = near.shape
    at = near + torch.arange(batch, device=near.device)[:, None, None] * time  # among all batch · time vectors
    real = mask[:, :, None] & (links > 0) & mask.flatten()[at]
    cells = real.flatten().nonzero().squeeze(1)
    return Edges(cells // most, at.flatten()[cells], links.flatten()[cells], cells, most)
