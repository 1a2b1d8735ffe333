"""Network inputs of one example: of a text, an audio file, a molecule, a graph or vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
PAD = 0  # the id of padding


@dataclass(frozen=True)
class Featurised:
    """An input that was read already: its features are made once."""

    source: Any
    features: Any


def source_of(source: Any) -> Any:
    """Return the input itself, featurised or not."""
    return source.source if isinstance(source, Featurised) else source


NEAR, LINKS = "near", "links"  # the neighbours of each vector and the types of the edges: see `Item`


@dataclass(frozen=True, slots=True)
class Item:
    """Arrays by ONNX input name, each with time as its first axis.

    | name           | shape          | contents                                                                    |
    |----------------|----------------|-----------------------------------------------------------------------------|
    | `ids`          | (time,)        | token ids                                                                   |
    | `vectors`      | (time, width)  | audio frames, atoms, nodes, or the user's own vectors                       |
    | `letters`      | (time, letter) | character ids of each word, padded with 0                                   |
    | `pieces`       | (time, piece)  | subword ids of each word, padded with 0                                     |
    | `surroundings` | (time, radius) | ids of the environments of each atom                                        |
    | `near`         | (time, near)   | positions of each vector's neighbours, itself first                         |
    | `links`        | (time, near)   | edge types: 0 for padding, 1 for itself, 2 and above for the others         |
    """

    arrays: Mapping[str, NDArray[Any]]

    def __len__(self) -> int:
        return len(next(iter(self.arrays.values())))

    def keeping(self, kept: NDArray[np.bool_]) -> Item:
        """Return the item with these positions (time,) only; edges to removed positions are removed."""
        if NEAR not in self.arrays:
            return Item({name: array[kept] for name, array in self.arrays.items()})
        new_positions = np.cumsum(kept) - 1
        near, links = self.arrays[NEAR][kept], self.arrays[LINKS][kept]
        stays = kept[near] & (links > 0)
        left = {name: array[kept] for name, array in self.arrays.items() if name not in (NEAR, LINKS)}
        return Item({**left, NEAR: np.where(stays, new_positions[near], 0), LINKS: np.where(stays, links, 0)})

    def tobytes(self) -> bytes:
        """Return bytes that are equal for equal items, for use as a key."""
        return b"|".join(array.tobytes() for array in self.arrays.values())


@dataclass(frozen=True, slots=True)
class TextPair:
    """Two inputs with one shared label."""

    first: Ids | Item
    second: Ids | Item

    def __len__(self) -> int:
        return max(len(self.first), len(self.second))

    def tobytes(self) -> bytes:
        """Return what two equal pairs have in common."""
        return b"||".join((self.first.tobytes(), self.second.tobytes()))


Features = Ids | Item | TextPair


class Parts(NamedTuple):
    """A readable form of an input: a text, and the spans of the parts that a heatmap colours.

    A part may be a tenth of a second, or an atom. `sizes` is the number of vectors in each part.
    """

    text: str
    spans: Sequence[tuple[int, int]]
    sizes: Sequence[int]


def parts_of_names(names: Sequence[str], sizes: Sequence[int] | None = None) -> Parts:
    """Return parts that are shown by name, the names joined by spaces."""
    spans, at = [], 0
    for name in names:
        spans.append((at, at + len(name)))
        at += len(name) + 1
    return Parts(" ".join(names), spans, sizes if sizes is not None else [1] * len(names))
