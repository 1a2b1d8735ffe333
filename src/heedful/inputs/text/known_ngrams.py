"""The n-grams that a model knows, and how often a text has each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.input_spec import NGRAM_COUNTS, NGRAMS
from heedful.text.ngrams import NGramReader
from heedful.text.span_hashes import Hashes, Places

BLOCK = 200_000  # characters whose n-grams are counted at once
MOST_CHARACTERS = 20_000  # of texts that are read at once


@dataclass(frozen=True)
class KnownNGrams:
    """The n-grams of the training texts by their hashes, in order. The number of an n-gram is its place plus 1."""

    hashes: Hashes

    def __len__(self) -> int:
        return len(self.hashes)

    @cached_property
    def _reader(self) -> NGramReader:
        return NGramReader()

    @classmethod
    def learned(cls, texts: Iterable[str], *, most: int, fewest: int = 1) -> KnownNGrams:
        """Return the n-grams of at least `fewest` texts: at most so many, the more frequent ones.

        Memory is bounded: with more than four times as many candidates, the rarer ones are forgotten.
        """
        reader, counter, block, size = NGramReader(), _Counter(most), [], 0
        for text in texts:
            block.append(text)
            size += len(text) + 1
            if size >= BLOCK:
                counter.add(_in_each_text(reader, block))
                block, size = [], 0
        if block:
            counter.add(_in_each_text(reader, block))
        return cls(counter.most_frequent(fewest))

    def arrays(self, text: str) -> dict[str, NDArray[Any]]:
        """Return the known n-grams of a text by number, and 1 + log of how often each occurs."""
        return _counted(self.known_in(self._reader.read([text]).hashes)[1])

    def arrays_of(self, texts: Sequence[str]) -> list[dict[str, NDArray[Any]]]:
        """Return the arrays of each text: one call for many texts is far faster than a call for each."""
        if len(texts) == 1:
            return [self.arrays(texts[0])]
        arrays: list[dict[str, NDArray[Any]]] = []
        for block in _blocks(texts):
            ngrams = self._reader.read(block)
            which, numbers = self.known_in(ngrams.hashes)
            n_numbers = len(self.hashes) + 1
            both = _counted(ngrams.texts[which] * n_numbers + numbers)
            bounds = np.searchsorted(both[NGRAMS], np.arange(len(block) + 1) * n_numbers)
            both[NGRAMS] %= n_numbers
            arrays += [{name: array[start:end] for name, array in both.items()} for start, end in pairwise(bounds)]
        return arrays

    @cached_property
    def _shift(self) -> np.uint64:
        return np.uint64(64 - min(20, max(4, len(self.hashes).bit_length() + 2)))

    @cached_property
    def _starts(self) -> NDArray[np.int32]:
        """Where the hashes with each beginning start: a look-up instead of a search."""
        beginnings = np.arange((1 << (64 - int(self._shift))) + 1, dtype=np.uint64)
        return np.searchsorted(self.hashes >> self._shift, beginnings).astype(np.int32)

    @cached_property
    def _is_shared(self) -> NDArray[np.bool_]:
        """Whether several hashes have this beginning."""
        return np.diff(self._starts) > 1

    @cached_property
    def _steps(self) -> Places:
        """Places from the first of the hashes with one beginning to each other one."""
        return np.arange(1, max(2, np.diff(self._starts).max(initial=0)), dtype=np.int64)

    @cached_property
    def _padded(self) -> Hashes:
        """The hashes, and after them zeros, which begin otherwise than the last ones."""
        return np.concatenate([self.hashes, np.zeros(1 + len(self._steps), dtype=np.uint64)])

    def known_in(self, hashes: Hashes) -> tuple[Places, Places]:
        """Return which of the n-grams are known, in no particular order, and their numbers."""
        if not len(self.hashes):
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        beginnings = (hashes >> self._shift).view(np.int64)
        starts = self._starts.take(beginnings)
        is_first = self._padded.take(starts) == hashes
        first = is_first.nonzero()[0]
        left = (self._is_shared.take(beginnings) > is_first).nonzero()[0]
        places = starts.take(left)[:, None] + self._steps
        which, step = (self._padded.take(places) == hashes.take(left)[:, None]).nonzero()
        numbers = np.concatenate([starts.take(first), places[which, step]])
        numbers += 1
        return np.concatenate([first, left.take(which)]), numbers

    def share(self, text: str) -> float:
        """Return the share of the n-grams of a text that are known."""
        hashes = self._reader.read([text]).hashes
        return len(self.known_in(hashes)[0]) / len(hashes) if len(hashes) else 0.0

    def by_position(self, text: str, ids: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide the values (n-gram, label) of the n-grams of a text among its characters: (position, label).

        An n-gram that occurs several times gives each occurrence an equal share.
        """
        ngrams = self._reader.read([text])
        which, numbers = self.known_in(ngrams.hashes)
        places = np.searchsorted(ids, numbers)
        shares = values[places] / np.bincount(places, minlength=len(ids))[places][:, None]
        return ngrams.by_position(which, shares, len(text))


def _counted(numbers: Places) -> dict[str, NDArray[Any]]:
    """Return the different numbers in order, and 1 + log of how often each occurs. Their order is lost."""
    numbers.sort()
    n = len(numbers)
    bounds = np.concatenate([[True], numbers[1:] != numbers[:-1], [True]]).nonzero()[0] if n else np.zeros(1, np.int64)
    weights = (1.0 + np.log(bounds[1:] - bounds[:-1])).astype(np.float32)
    return {NGRAMS: numbers.take(bounds[:-1]), NGRAM_COUNTS: weights}


def _blocks(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield texts in blocks of bounded size."""
    start, size = 0, 0
    for i, text in enumerate(texts):
        if i > start and size + len(text) > MOST_CHARACTERS:
            yield texts[start:i]
            start, size = i, 0
        size += len(text)
    if start < len(texts):
        yield texts[start:]


def _in_each_text(reader: NGramReader, texts: Sequence[str]) -> Hashes:
    """Return the different n-grams of each text."""
    parts = []
    for block in _blocks(texts):
        ngrams = reader.read(block)
        order = np.lexsort((ngrams.texts, ngrams.hashes))
        hashes, owners = ngrams.hashes[order], ngrams.texts[order]
        is_new = np.ones(len(hashes), dtype=np.bool_)
        is_new[1:] = (hashes[1:] != hashes[:-1]) | (owners[1:] != owners[:-1])
        parts.append(hashes[is_new])
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint64)


class _Counter:
    """Counts hashes in bounded memory."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._hashes, self._counts = np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64)

    def add(self, hashes: Hashes) -> None:
        """Count each hash."""
        new, counts = np.unique(hashes, return_counts=True)
        both, places = np.unique(np.concatenate([self._hashes, new]), return_inverse=True)
        self._counts = np.bincount(places, weights=np.concatenate([self._counts, counts])).astype(np.int64)
        self._hashes = both
        if len(both) > 4 * self._most:
            self._keep(2 * self._most)

    def most_frequent(self, fewest: int) -> Hashes:
        """Return the most frequent hashes of those that were counted at least so often."""
        kept = self._counts >= fewest
        self._hashes, self._counts = self._hashes[kept], self._counts[kept]
        if len(self._hashes) > self._most:
            self._keep(self._most)
        return self._hashes

    def _keep(self, n: int) -> None:
        kept = np.sort(np.argsort(-self._counts, kind="stable")[:n])
        self._hashes, self._counts = self._hashes[kept], self._counts[kept]
