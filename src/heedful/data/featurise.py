"""Texts to ids: the tokeniser and the vocab of a model, as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from heedful.data.subwords import SubwordTokeniser
from heedful.data.tokens import Token
from heedful.data.vocab import UNKNOWN, Vocab
from heedful.data.words import WordTokeniser

Ids = NDArray[np.int32]


class Featuriser(Protocol):
    """What turns a text into ids, and says where each token stood."""

    max_tokens: int

    def ids(self, text: str) -> Ids:
        """Return the ids of the tokens, cut at `max_tokens`."""

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of those ids."""

    def is_cut(self, text: str) -> bool:
        """Return whether the text has more tokens than that."""

    def is_known(self, form: str) -> bool:
        """Return whether the model has a vector of its own for this token."""

    def __len__(self) -> int:
        """Return how many ids there are."""


class WordFeaturiser:
    """Words, numbered by a Vocab."""

    def __init__(self, tokeniser: WordTokeniser, vocab: Vocab, *, max_tokens: int) -> None:
        self.tokeniser, self.vocab, self.max_tokens = tokeniser, vocab, max_tokens
        self._surface_ids: dict[str, int] = {}  # surface → id: one look-up for most words

    def ids(self, text: str) -> Ids:
        """Return the ids of the words, cut at `max_tokens`."""
        known, surfaces = self._surface_ids, self.tokeniser.surfaces(text)
        ids = [known[s] if s in known else self._learn(s) for s in surfaces[: self.max_tokens]]
        return np.array(ids, dtype=np.int32)

    def tokens(self, text: str) -> list[Token]:
        """Return the words of those ids."""
        return self.tokeniser.tokens(text)[: self.max_tokens]

    def is_cut(self, text: str) -> bool:
        """Return whether the text has more than `max_tokens` words."""
        return len(self.tokeniser.surfaces(text)) > self.max_tokens

    def is_known(self, form: str) -> bool:
        """Return whether the word is in the vocab."""
        return form in self.vocab

    def _learn(self, surface: str) -> int:
        found = self.vocab.id(self.tokeniser.form(surface))
        if found != UNKNOWN:  # unknown words are without end; known ones are not
            self._surface_ids[surface] = found
        return found

    def __len__(self) -> int:
        return len(self.vocab)


class SubwordFeaturiser:
    """Sub-words, numbered by their tokeniser."""

    def __init__(self, tokeniser: SubwordTokeniser, *, max_tokens: int) -> None:
        self.tokeniser, self.max_tokens = tokeniser, max_tokens

    def ids(self, text: str) -> Ids:
        """Return the ids of the pieces, cut at `max_tokens`."""
        return self.tokeniser.ids(text)[: self.max_tokens]

    def tokens(self, text: str) -> list[Token]:
        """Return the pieces of those ids."""
        return self.tokeniser.tokens(text)[: self.max_tokens]

    def is_cut(self, text: str) -> bool:
        """Return whether the text has more than `max_tokens` pieces."""
        return len(self.tokeniser.ids(text)) > self.max_tokens

    def is_known(self, form: str) -> bool:
        """Return whether this is a piece, and not the mark for an unknown character."""
        return form != "[UNK]"

    def __len__(self) -> int:
        return len(self.tokeniser)


def count_words(texts: Iterable[str], tokeniser: WordTokeniser) -> Counter[str]:
    """Count the forms of all words."""
    surfaces: Counter[str] = Counter()
    for text in texts:
        surfaces.update(tokeniser.surfaces(text))
    counts: Counter[str] = Counter()
    for surface, n in surfaces.items():
        counts[tokeniser.form(surface)] += n
    return counts


def label_numbers(labels: Sequence[str], known: Sequence[str]) -> NDArray[np.int64]:
    """Return each label's place in `known`; -1 for one that is not there."""
    places = {label: i for i, label in enumerate(known)}
    return np.array([places.get(label, -1) for label in labels], dtype=np.int64)
