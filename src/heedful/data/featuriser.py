"""The protocol of featurisers, which turn inputs into arrays."""

from __future__ import annotations

from typing import Any, Protocol

from heedful.data.features import Ids, Item, Parts
from heedful.data.input_spec import InputShape


class Featuriser(Protocol):
    """Turns inputs of one kind into arrays, and names their parts for display."""

    max_tokens: int

    @property
    def shape(self) -> InputShape:
        """The shape of the network's input."""

    def features(self, source: Any) -> Ids | Item:
        """Return the arrays of an input, truncated to `max_tokens`."""

    def parts(self, source: Any) -> Parts:
        """Return the input as text, with the span of each part."""

    def is_cut(self, source: Any) -> bool:
        """Return whether the input is longer than `max_tokens`."""
