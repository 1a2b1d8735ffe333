"""The parts of a similarity as a grid of a size that can be looked at. Nothing is lost: what is left out is summed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from heedful.explain.attention.explanation import Word
from heedful.explain.similarity import Similarity
from heedful.show.kit.svg.shades import as_given

Parts = NDArray[np.float64]


@dataclass(frozen=True)
class Grid:
    """The strongest words of both texts in reading order, and all others as one row and one column."""

    words: tuple[tuple[Word, ...], tuple[Word, ...]]
    others: tuple[int, int]  # how many words of each text are not shown on their own
    parts: Parts  # (word + 1, word + 1): the last row and column are the others'; the sum is the similarity

    @cached_property
    def shades(self) -> NDArray[np.float32]:
        """Return the shades (word, word) of the pairs, from -1 to 1; sums over many pairs are not on this scale."""
        return as_given(self.parts[:-1, :-1])

    @property
    def by_word(self) -> tuple[Parts, Parts]:
        """What each row and each column adds, the others last."""
        return self.parts.sum(axis=1), self.parts.sum(axis=0)


def folded(similarity: Similarity, *, most: tuple[int, int]) -> Grid:
    """Keep at most so many words of each text (and one more, rather than an `other` row of a single word)."""
    strength = np.abs(similarity.matrix)
    kept = tuple(_strongest(strength.sum(axis=1 - side), n) for side, n in enumerate(most))
    places = [_places(similarity.matrix.shape[side], kept[side]) for side in (0, 1)]
    parts = np.zeros((len(kept[0]) + 1, len(kept[1]) + 1))
    np.add.at(parts, (places[0][:, None], places[1][None, :]), similarity.matrix)
    first, second = (tuple(words[i] for i in kept[side]) for side, words in enumerate(similarity.words))
    left = [len(words) - len(kept[side]) for side, words in enumerate(similarity.words)]
    return Grid((first, second), (left[0], left[1]), parts)


def _strongest(strength: Parts, most: int) -> NDArray[np.intp]:
    """Return the places of the largest, in reading order."""
    if len(strength) <= most + 1:
        return np.arange(len(strength))
    return np.sort(np.argsort(-strength, kind="stable")[:most])


def _places(n: int, kept: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the row in the grid of each of n words; the row after the kept ones is that of all others."""
    places = np.full(n, len(kept), dtype=np.intp)
    places[kept] = np.arange(len(kept))
    return places
