"""The network: embed, encode, attend, answer."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor, nn

from heedful.layers.dropout import Dropout
from heedful.layers.embed import Embed
from heedful.layers.faces import Encoder, Head, Pooler


class Output(NamedTuple):
    """What a network gives for a batch."""

    scores: Tensor  # (batch, class)
    rows: Tensor  # (batch, hop, width), the paper's M
    weights: Tensor  # (batch, hop, time), the paper's A


class Network(nn.Module):
    """Any encoder, pooler and head with the right faces, on one table of vectors."""

    def __init__(self, embed: Embed, encoder: Encoder, pooler: Pooler, head: Head, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.embed, self.encoder, self.pooler, self.head = embed, encoder, pooler, head
        self.drop = Dropout(dropout)

    def forward(self, ids: Tensor, mask: Tensor) -> Output:
        """Map ids (batch, time) and a bool mask (batch, time) to scores, rows and weights."""
        states = self.encoder(self.drop(self.embed(ids)), mask)  # (batch, time, width)
        rows, weights = self.pooler(states, mask)
        return Output(self.head(self.drop(rows)), rows, weights)
