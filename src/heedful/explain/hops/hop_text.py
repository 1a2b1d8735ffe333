"""The words of one text with the weights of each hop."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heedful.explain.attention.explanation import Word
from heedful.explain.attention.model_input import Reading
from heedful.explain.hops.atlas import Sighting

AROUND = 8  # words of context on either side
WINDOW = 300  # maximum characters of the context
LONGEST = 60  # characters of a word; longer ones are truncated

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ReadText:
    """The words of a text with the weights of each hop, and the weights under uniform attention."""

    text: str
    words: tuple[Word, ...]
    forms: tuple[str, ...]
    weights: Array  # (word, hop)
    even: Array  # (word,)
    entropy: Array  # (hop,): over words
    evenness: Array  # (hop,): entropy over tokens
    label: str | None

    @property
    def lifts(self) -> Array:
        """The weights relative to uniform attention (word, hop)."""
        return np.asarray(self.weights / self.even[:, None])


def read_text(reading: Reading, weights: NDArray[np.float32], label: str | None) -> ReadText:
    """Sum the weights (hop, token) of a text over the tokens of each word."""
    of_tokens = weights.astype(np.float64)
    of_words = np.asarray(reading.folded(of_tokens).T, dtype=np.float64)
    return ReadText(
        text=reading.text,
        words=reading.words,
        forms=tuple(form_of(word.text) for word in reading.words),
        weights=of_words,
        even=reading.sizes / max(1, int(reading.sizes.sum())),
        entropy=entropy(of_words),
        evenness=entropy(of_tokens.T),
        label=label,
    )


def form_of(word: str) -> str:
    """Return the case-insensitive form under which a word is counted."""
    return unicodedata.normalize("NFC", word[:LONGEST].casefold())


def entropy(weights: Array) -> Array:
    """Return the normalised entropy of each hop: 1 is uniform, 0 is a single word."""
    surprise = np.where(weights > 0, -np.log(np.maximum(weights, 1e-300)), 0.0)
    return np.asarray((weights * surprise).sum(axis=0) / np.log(max(2, len(weights))))


def by_kind(words: Sequence[Word]) -> Array:
    """Return indicators of words, marks (punctuation and symbols) and unknown words (3, word)."""
    known = np.array([word.is_known for word in words], dtype=bool)
    alphanumeric = np.array([any(c.isalnum() for c in word.text) for word in words], dtype=bool)
    return np.stack([known & alphanumeric, known & ~alphanumeric, ~known]).astype(np.float64)


def sighting(read: ReadText, at: int, hop: int) -> Sighting:
    """Return a word with its context and the weights of a hop; the context is shorter if words are long."""
    for around in range(AROUND, -1, -1):
        low, high = max(0, at - around), min(len(read.words), at + around + 1)
        start, end = read.words[low].start, read.words[high - 1].end
        if end - start <= WINDOW:
            break
    end = min(end, start + WINDOW)
    return Sighting(
        text=read.text[start:end],
        spans=tuple((word.start - start, min(word.end, end) - start) for word in read.words[low:high]),
        weights=tuple(read.weights[low:high, hop].tolist()),
        at=at - low,
        n_words=len(read.words),
        is_start=low == 0,
        is_end=high == len(read.words),
    )
