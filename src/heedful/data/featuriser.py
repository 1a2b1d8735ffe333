"""The protocol of featurisers: inputs to numbers."""

from __future__ import annotations

from typing import Any, Protocol

from heedful.data.features import Ids, Item, Parts
from heedful.data.input_spec import InputShape


class Featuriser(Protocol):
    """What turns an input of some kind into numbers, and says for people what each of its parts is."""

    max_tokens: int

    @property
    def shape(self) -> InputShape:
        """What comes into the network."""

    def features(self, source: Any) -> Ids | Item:
        """Return the numbers of an input, cut at `max_tokens`."""

    def parts(self, source: Any) -> Parts:
        """Return the input in words, and where each of its parts stands."""

    def is_cut(self, source: Any) -> bool:
        """Return whether there is more than `max_tokens`."""
