"""The network: embed, encode, attend, answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from torch import Tensor, nn

from heedful.network.dropout import Dropout
from heedful.network.fronts.embed import Embed
from heedful.network.poolers.per_node import EachNear
from heedful.network.protocols import Encoder, Front, Head, Pooler

Inputs = Tensor | Mapping[str, Tensor]  # of one array, that array; of several, each by its name


class Output(NamedTuple):
    """What a network gives for a batch."""

    scores: Tensor  # (batch, class); of a tagger (batch, time, label)
    rows: Tensor  # (batch, hop, width), the paper's M
    weights: Tensor  # (batch, hop, time), the paper's A


class Network(nn.Module):
    """Any front, encoder, pooler and head with the right faces."""

    def __init__(
        self,
        embed: Front,
        encoder: Encoder,
        pooler: Pooler,
        head: Head,
        *,
        dropout: float = 0.0,
        input_dropout: float | None = None,  # as dropout where there is none
    ) -> None:
        super().__init__()
        self.embed, self.encoder, self.pooler, self.head = embed, encoder, pooler, head
        self.drop = Dropout(dropout)
        self.drop_input = Dropout(dropout if input_dropout is None else input_dropout)

    def forward(self, inputs: Inputs, mask: Tensor) -> Output:
        """Map inputs (batch, time, …) and a bool mask (batch, time) to scores, rows and weights."""
        states = self.states(self.drop_input(self.embed(front_inputs(inputs))), mask, inputs)
        rows, weights = self.pooled(states, mask, inputs)
        return Output(self.head(self.drop(rows)), rows, weights)

    def states(self, x: Tensor, mask: Tensor, inputs: Inputs) -> Tensor:
        """Give vectors (batch, time, width) their context: (batch, time, width). Who is near comes from the inputs."""
        if isinstance(inputs, Mapping) and "near" in inputs:
            return self.encoder(x, mask, inputs["near"], inputs["links"])
        return self.encoder(x, mask)

    def pooled(self, states: Tensor, mask: Tensor, inputs: Inputs) -> tuple[Tensor, Tensor]:
        """Map states to rows (batch, hop, width) and weights (batch, hop, time)."""
        if isinstance(self.pooler, EachNear) and isinstance(inputs, Mapping):
            return self.pooler(states, mask, inputs["near"], inputs["links"])  # type: ignore[no-any-return]
        return self.pooler(states, mask)

    @property
    def tables(self) -> list[nn.Parameter]:
        """The tables of tokens, whose gradients are sparse."""
        return [module.weight for module in self.modules() if isinstance(module, Embed)]


def front_inputs(inputs: Inputs) -> Inputs:
    """Return what the front takes: all but who is near, and one array as itself."""
    if not isinstance(inputs, Mapping):
        return inputs
    own = {name: array for name, array in inputs.items() if name not in ("near", "links")}
    return next(iter(own.values())) if len(own) == 1 else own
