"""One example as a network takes it, whatever it was: a text, a sound, a molecule, a graph, vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
PAD = 0  # the id of padding


class Featurised(NamedTuple):
    """An input that was read already: its features are made once."""

    source: Any
    features: Any


def source_of(source: Any) -> Any:
    """Return the input itself, featurised or not."""
    return source.source if isinstance(source, Featurised) else source


NEAR, LINKS = "near", "links"  # who a vector's neighbours are, and of what kind: see `Item`


@dataclass(frozen=True, slots=True)
class Item:
    """Arrays by the names of the graph's inputs, each with time as its first axis.

    | name           | shape          | what                                                                        |
    |----------------|----------------|-----------------------------------------------------------------------------|
    | `ids`          | (time,)        | tokens, by number                                                           |
    | `vectors`      | (time, width)  | frames of sound, atoms, nodes, or vectors of one's own                      |
    | `letters`      | (time, letter) | the letters of each word, by number; 0 after its last                       |
    | `pieces`       | (time, piece)  | the pieces of each word, by number; 0 after its last                        |
    | `surroundings` | (time, radius) | the patterns around each atom, by number                                    |
    | `near`         | (time, near)   | the places of each vector's neighbours, itself first                        |
    | `links`        | (time, near)   | what kind of link leads there: 0 for none, 1 for itself, from 2 on the rest |
    """

    arrays: Mapping[str, NDArray[Any]]

    def __len__(self) -> int:
        return len(next(iter(self.arrays.values())))

    def keeping(self, kept: NDArray[np.bool_]) -> Item:
        """Return what is left with these places (time,) alone; links to those that went are gone too."""
        if NEAR not in self.arrays:
            return Item({name: array[kept] for name, array in self.arrays.items()})
        places = np.cumsum(kept) - 1  # of those that stay
        near, links = self.arrays[NEAR][kept], self.arrays[LINKS][kept]
        stays = kept[near] & (links > 0)
        left = {name: array[kept] for name, array in self.arrays.items() if name not in (NEAR, LINKS)}
        return Item({**left, NEAR: np.where(stays, places[near], 0), LINKS: np.where(stays, links, 0)})

    def tobytes(self) -> bytes:
        """Return what two equal items have in common."""
        return b"|".join(array.tobytes() for array in self.arrays.values())


@dataclass(frozen=True, slots=True)
class Two:
    """Two inputs with one answer."""

    first: Ids | Item
    second: Ids | Item

    def __len__(self) -> int:
        return max(len(self.first), len(self.second))

    def tobytes(self) -> bytes:
        """Return what two equal pairs have in common."""
        return b"||".join((self.first.tobytes(), self.second.tobytes()))


Features = Ids | Item | Two


class Parts(NamedTuple):
    """An input in words, for people: a text, and where in it the parts stand that a heatmap colours.

    A part may be a tenth of a second, or an atom. `sizes` says of how many vectors each is made.
    """

    text: str
    spans: Sequence[tuple[int, int]]
    sizes: Sequence[int]


def parts_of_names(names: Sequence[str], sizes: Sequence[int] | None = None) -> Parts:
    """Return parts that have names and no text of their own: the names, one after the other."""
    spans, at = [], 0
    for name in names:
        spans.append((at, at + len(name)))
        at += len(name) + 1
    return Parts(" ".join(names), spans, sizes if sizes is not None else [1] * len(names))
