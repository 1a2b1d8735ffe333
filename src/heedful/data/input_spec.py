"""What comes into a network, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import LINKS, NEAR, Ids, Item

MAX_WIDTH, MAX_TOKENS = 65_536, 1_000_000  # of what a model folder may ask for


def is_size(value: object, high: int) -> bool:
    """Return whether a value from a file is a whole number from 1 to `high`."""
    return type(value) is int and 1 <= value <= high


@dataclass(frozen=True)
class InputShape:
    """Ids, or vectors, and what goes with them."""

    n_ids: int = 0  # different tokens; 0 where vectors come in
    is_one_hot: bool = False
    n_letters: int = 0  # different letters, where words come with their letters
    letter_width: int = 0  # of what is made of a word's letters
    width: int = 0  # of a vector that comes in
    n_links: int = 0  # kinds of links, with none and itself; 0 where nothing is linked

    @property
    def names(self) -> tuple[str, ...]:
        """The arrays of a batch, by name."""
        first = "vectors" if self.width else "ids"
        return (first, *(("letters",) if self.n_letters else ()), *(("near", "links") if self.n_links else ()))

    def smallest(self) -> Ids | Item:
        """Return an input of one place: the last token, or a vector of zeros that has itself for a neighbour."""
        last = np.array([self.n_ids - 1], dtype=np.int32)
        if self.names == ("ids",):
            return last
        arrays: dict[str, NDArray[Any]] = {
            "ids": last,
            "vectors": np.zeros((1, self.width), dtype=np.float32),
            "letters": np.zeros((1, 1), dtype=np.int64),
            NEAR: np.zeros((1, 1), dtype=np.int64),
            LINKS: np.ones((1, 1), dtype=np.int64),
        }
        return Item({name: arrays[name] for name in self.names})
