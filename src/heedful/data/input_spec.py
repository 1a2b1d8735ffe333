"""What comes into a network, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import LINKS, NEAR, Ids, Item

PIECES = "pieces"  # in an Item: (time, piece), the pieces of each word by number; 0 after its last
SURROUNDINGS = "surroundings"  # in an Item: (atom, radius), the patterns around each atom by number
NGRAMS, NGRAM_COUNTS = "ngrams", "ngram_counts"  # in an Item: (n-gram,), the n-grams of a text and their weights
MAX_WIDTH, MAX_TOKENS = 65_536, 1_000_000  # of what a model folder may ask for


def is_size(value: object, high: int) -> bool:
    """Return whether a value from a file is a whole number from 1 to `high`."""
    return type(value) is int and 1 <= value <= high


@dataclass(frozen=True)
class InputSpec:
    """Ids, or vectors, and what goes with them; 0 for what there is none of."""

    n_ids: int = 0  # different tokens
    is_one_hot: bool = False
    n_letters: int = 0  # different letters, where words come with their letters
    letter_width: int = 0  # of what is made of a word's letters
    width: int = 0  # of a vector that comes in
    n_links: int = 0  # kinds of links, with none and itself
    n_pieces: int = 0  # different pieces, where words come with their pieces
    piece_width: int = 0  # of a piece's own vector
    piece_units: int = 0  # LSTM units of the encoder that reads pieces
    n_surroundings: int = 0  # different patterns around atoms, with the pad and the unknown one
    n_radii: int = 0  # patterns around each atom
    n_before: int = 0  # special tokens before the words of each text, such as [CLS]
    n_after: int = 0  # special tokens after them, such as [SEP]
    n_ngrams: int = 0  # different n-grams, with the pad, where scores have a wide part
    front: str = ""  # the layer that reads it, of `network/fronts/parts.py`; without one, by what comes in

    def __post_init__(self) -> None:
        if not self.front:
            object.__setattr__(self, "front", self._usual_front())

    def _usual_front(self) -> str:
        if self.width:
            return "scaled"
        if self.is_one_hot:
            return "one_hot"
        return "word_chars" if self.n_letters else "embed"

    @property
    def n_special(self) -> int:
        """The number of special tokens of each text."""
        return self.n_before + self.n_after

    @property
    def names(self) -> tuple[str, ...]:
        """The arrays of a batch, by name."""
        present = {
            "vectors": self.width,
            "ids": not self.width,
            SURROUNDINGS: self.n_surroundings,
            "letters": self.n_letters,
            NEAR: self.n_links,
            LINKS: self.n_links,
            PIECES: self.n_pieces,
            NGRAMS: self.n_ngrams,
            NGRAM_COUNTS: self.n_ngrams,
        }
        return tuple(name for name, is_there in present.items() if is_there)

    def smallest(self) -> Ids | Item:
        """Return an input of one place: the last token, or a vector of zeros that has itself for a neighbour."""
        last = np.array([self.n_ids - 1], dtype=np.int32)
        if self.names == ("ids",):
            return last
        arrays: dict[str, NDArray[Any]] = {
            "ids": last,
            "vectors": np.zeros((1, self.width), dtype=np.float32),
            "letters": np.zeros((1, 1), dtype=np.int64),
            PIECES: np.full((1, 1), self.n_pieces - 1, dtype=np.int64),
            SURROUNDINGS: np.full((1, self.n_radii), self.n_surroundings - 1, dtype=np.int64),
            NEAR: np.zeros((1, 1), dtype=np.int64),
            LINKS: np.ones((1, 1), dtype=np.int64),
            NGRAMS: np.full(1, self.n_ngrams - 1, dtype=np.int64),
            NGRAM_COUNTS: np.ones(1, dtype=np.float32),
        }
        return Item({name: arrays[name] for name in self.names})
