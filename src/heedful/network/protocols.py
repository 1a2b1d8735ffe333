"""The faces of a layer. Any `nn.Module` that has one goes straight into a Network."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from torch import Tensor


class Neighbours(NamedTuple):
    """Who is linked to whom in a batch of graphs: each (batch, time, near)."""

    near: Tensor  # positions of the neighbours, itself first
    links: Tensor  # kinds of the links: 0 for none, 1 for itself, from 2 on the rest


class Front(Protocol):
    """Turns what comes in into vectors."""

    width: int  # of a vector

    def __call__(self, inputs: Any) -> Tensor:
        """Map what comes in, (batch, time) or (batch, time, …), to vectors (batch, time, width)."""


class Encoder(Protocol):
    """Gives each token its context."""

    width: int  # of a state

    def __call__(self, x: Tensor, mask: Tensor, *near: Neighbours) -> Tensor:
        """Map (batch, time, width) and a bool mask (batch, time) to states (batch, time, width).

        Where the input is a graph, its links are one more argument.
        """


class Pooler(Protocol):
    """Turns states into an embedding of fixed size, and says what it read."""

    n_hops: int

    def __call__(self, states: Tensor, mask: Tensor, *near: Neighbours) -> tuple[Tensor, Tensor]:
        """Map states to rows (batch, hop, width) and weights (batch, hop, time)."""


class Head(Protocol):
    """Answers from the embedding."""

    def __call__(self, rows: Tensor) -> Tensor:
        """Map rows (batch, hop, width) to scores (batch, class)."""
