"""Texts to token ids and n-grams, for scores with a wide part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import Ids, Item, Parts
from heedful.data.input_spec import NGRAM_COUNTS, NGRAMS, InputSpec
from heedful.inputs.text.featuriser import TextFeaturiser
from heedful.text.ngrams import Hashes, NGramReader
from heedful.text.tokens import Token, TokenisedWord

BLOCK = 200_000  # characters whose n-grams are counted at once
MOST_CHARACTERS = 20_000  # of texts that are read at once
KNOWN_SHARE = 0.5  # of the n-grams of a word that the model knows by its spelling


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
        return self.arrays_of([text])[0]

    def arrays_of(self, texts: Sequence[str]) -> list[dict[str, NDArray[Any]]]:
        """Return the arrays of each text: one call for many texts is far faster than a call for each."""
        arrays: list[dict[str, NDArray[Any]]] = []
        for block in _blocks(texts):
            ngrams = self._reader.read(block)
            numbers = self.numbers(ngrams.hashes)
            kept = numbers > 0
            n_numbers = len(self.hashes) + 1
            both, counts = np.unique(ngrams.texts[kept] * n_numbers + numbers[kept], return_counts=True)
            weights = (1.0 + np.log(counts)).astype(np.float32)
            ends = np.searchsorted(both, np.arange(1, len(block)) * n_numbers)
            ids = np.split(both % n_numbers, ends)
            arrays += [{NGRAMS: i, NGRAM_COUNTS: w} for i, w in zip(ids, np.split(weights, ends), strict=True)]
        return arrays

    @cached_property
    def _shift(self) -> np.uint64:
        return np.uint64(64 - min(20, max(4, len(self.hashes).bit_length() + 1)))

    @cached_property
    def _starts(self) -> NDArray[np.int32]:
        """Where the hashes with each beginning start: a look-up instead of a search."""
        beginnings = np.arange((1 << (64 - int(self._shift))) + 1, dtype=np.uint64)
        return np.searchsorted(self.hashes >> self._shift, beginnings).astype(np.int32)

    @cached_property
    def _largest(self) -> int:
        return int(np.diff(self._starts).max(initial=0))

    def numbers(self, hashes: Hashes) -> NDArray[np.int64]:
        """Return the number of each n-gram, 0 for those that are not known."""
        numbers = np.zeros(len(hashes), dtype=np.int64)
        if not len(self.hashes):
            return numbers
        buckets = hashes >> self._shift
        at, end = self._starts[buckets], self._starts[buckets + np.uint64(1)]
        left = (at < end).nonzero()[0]
        for _ in range(self._largest):
            is_same = self.hashes[at[left]] == hashes[left]
            found = left[is_same]
            numbers[found] = at[found] + 1
            left = left[~is_same]
            at[left] += 1
            left = left[at[left] < end[left]]
            if not len(left):
                break
        return numbers

    def share(self, text: str) -> float:
        """Return the share of the n-grams of a text that are known."""
        numbers = self.numbers(self._reader.read([text]).hashes)
        return float((numbers > 0).mean()) if len(numbers) else 0.0

    def by_position(self, text: str, ids: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide the values (n-gram, label) of the n-grams of a text among its characters: (position, label).

        An n-gram that occurs several times gives each occurrence an equal share.
        """
        ngrams = self._reader.read([text])
        numbers = self.numbers(ngrams.hashes)
        kept = numbers > 0
        ngrams = replace(ngrams, hashes=ngrams.hashes[kept], first=ngrams.first[kept], last=ngrams.last[kept])
        places = np.searchsorted(ids, numbers[kept])
        shares = values[places] / np.bincount(places, minlength=len(ids))[places][:, None]
        return ngrams.by_position(shares, len(text))


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


class WideFeaturiser:
    """Turns texts into what another featuriser makes of them, and their n-grams."""

    def __init__(self, inner: TextFeaturiser, known: KnownNGrams) -> None:
        self.inner, self.known, self.max_tokens = inner, known, inner.max_tokens

    @property
    def shape(self) -> InputSpec:
        """The network takes ids, and n-grams."""
        return replace(self.inner.shape, n_ngrams=len(self.known) + 1)

    def features(self, text: str) -> Item:
        """Return the ids and the n-grams."""
        ids = self.inner.ids(text)
        return self.item(ids, self.read_part(text, ids))

    def features_of(self, texts: Sequence[str]) -> list[Item]:
        """Return the features of each text, faster than one by one."""
        every = [self.inner.ids(text) for text in texts]
        read = [self.read_part(text, ids) if len(ids) else "" for text, ids in zip(texts, every, strict=True)]
        return [Item({"ids": ids, **arrays}) for ids, arrays in zip(every, self.known.arrays_of(read), strict=True)]

    def item(self, ids: Ids, text: str) -> Item:
        """Return ids with the n-grams of a text; without ids there are none."""
        return Item({"ids": ids, **self.known.arrays(text if len(ids) else "")})

    def read_part(self, text: str, ids: Ids) -> str:
        """Return the part of a text that its ids stand for."""
        if len(ids) < self.max_tokens:
            return text
        tokens = self.inner.tokens(text)
        return text[: tokens[-1].end] if tokens else text

    def ids(self, text: str) -> Ids:
        """Return the token ids, truncated to `max_tokens`."""
        return self.inner.ids(text)

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of those ids."""
        return self.inner.tokens(text)

    def special(self) -> tuple[list[str], list[str]]:
        """Return the forms of the special tokens before and after the words."""
        return self.inner.special()

    def words(self, text: str) -> list[TokenisedWord]:
        """Return the words that those tokens make up. A word may be known by its spelling alone."""
        return [
            word
            if word.is_known
            else word._replace(is_known=self.known.share(text[word.start : word.end]) >= KNOWN_SHARE)
            for word in self.inner.words(text)
        ]

    def parts(self, text: str) -> Parts:
        """Return the text and its words."""
        return self.inner.parts(text)

    def count(self, text: str) -> int:
        """Return the number of tokens."""
        return self.inner.count(text)

    def is_cut(self, text: str) -> bool:
        """Return whether the text has more than `max_tokens` tokens."""
        return self.inner.is_cut(text)

    def is_known(self, form: str) -> bool:
        """Return whether the token is in the vocab."""
        return self.inner.is_known(form)

    def forms(self) -> list[str]:
        """Return the text of each token, by its id."""
        return self.inner.forms()

    def __len__(self) -> int:
        return len(self.inner)
