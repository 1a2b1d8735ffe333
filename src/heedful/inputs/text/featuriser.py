"""Texts to ids: the tokeniser and the vocabulary of a model, as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import Protocol

import numpy as np

from heedful.data.features import Ids, Parts
from heedful.data.featuriser import Featuriser
from heedful.data.input_spec import InputShape
from heedful.text.tokens import Token
from heedful.text.vocab import UNKNOWN, Vocab
from heedful.text.word_tokeniser import WordTokeniser
from heedful.text.wordpiece import SubwordTokeniser


class TextFeaturiser(Featuriser, Protocol):
    """What turns a text into ids, and says where each token stood."""

    def ids(self, text: str) -> Ids:
        """Return the ids of the tokens, cut at `max_tokens`."""

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of those ids."""

    def count(self, text: str) -> int:
        """Return how many tokens the text has, with those past `max_tokens`."""

    def is_known(self, form: str) -> bool:
        """Return whether the model has a vector of its own for this token."""

    def __len__(self) -> int:
        """Return how many ids there are."""


class _Texts:
    """What is the same for words and sub-words."""

    max_tokens: int

    def features(self: TextFeaturiser, text: str) -> Ids:
        """Return the ids."""
        return self.ids(text)

    def parts(self: TextFeaturiser, text: str) -> Parts:
        """Return the text and its words."""
        words = [list(tokens) for _, tokens in groupby(self.tokens(text), key=lambda token: token.word)]
        return Parts(text, [(tokens[0].start, tokens[-1].end) for tokens in words], [len(tokens) for tokens in words])


class WordFeaturiser(_Texts):
    """Words, numbered by a Vocab."""

    def __init__(self, tokeniser: WordTokeniser, vocab: Vocab, *, max_tokens: int, one_hot: bool = False) -> None:
        self.tokeniser, self.vocab, self.max_tokens, self.one_hot = tokeniser, vocab, max_tokens, one_hot
        self._surface_ids: dict[str, int] = {}  # surface → id: one look-up for most words

    @property
    def shape(self) -> InputShape:
        """Words come in."""
        return InputShape(n_ids=len(self), is_one_hot=self.one_hot)

    def ids(self, text: str) -> Ids:
        """Return the ids of the words, cut at `max_tokens`."""
        known, surfaces = self._surface_ids, self.tokeniser.surfaces(text)
        ids = [known[s] if s in known else self._learn(s) for s in surfaces[: self.max_tokens]]
        return np.array(ids, dtype=np.int32)

    def tokens(self, text: str) -> list[Token]:
        """Return the words of those ids."""
        return self.tokeniser.tokens(text)[: self.max_tokens]

    def count(self, text: str) -> int:
        """Return how many words the text has."""
        return len(self.tokeniser.surfaces(text))

    def is_cut(self, text: str) -> bool:
        """Return whether the text has more than `max_tokens` words."""
        return self.count(text) > self.max_tokens

    def is_known(self, form: str) -> bool:
        """Return whether the word is in the vocab."""
        return form in self.vocab

    def _learn(self, surface: str) -> int:
        id_ = self.vocab.id(self.tokeniser.form(surface))
        if id_ != UNKNOWN:  # unknown words are without end; known ones are not
            self._surface_ids[surface] = id_
        return id_

    def __len__(self) -> int:
        return len(self.vocab)


class SubwordFeaturiser(_Texts):
    """Sub-words, numbered by their tokeniser."""

    def __init__(self, tokeniser: SubwordTokeniser, *, max_tokens: int) -> None:
        self.tokeniser, self.max_tokens = tokeniser, max_tokens

    @property
    def shape(self) -> InputShape:
        """Pieces of words come in."""
        return InputShape(n_ids=len(self))

    def ids(self, text: str) -> Ids:
        """Return the ids of the pieces, cut at `max_tokens`."""
        return self.tokeniser.ids(text)[: self.max_tokens]

    def tokens(self, text: str) -> list[Token]:
        """Return the pieces of those ids."""
        return self.tokeniser.tokens(text)[: self.max_tokens]

    def count(self, text: str) -> int:
        """Return how many pieces the text has."""
        return len(self.tokeniser.ids(text))

    def is_cut(self, text: str) -> bool:
        """Return whether the text has more than `max_tokens` pieces."""
        return self.count(text) > self.max_tokens

    def is_known(self, form: str) -> bool:
        """Return whether this is a piece, and not the mark for an unknown character."""
        return form != "[UNK]"

    def __len__(self) -> int:
        return len(self.tokeniser)


def count_words(texts: Iterable[str], tokeniser: WordTokeniser, *, most: int | None = None) -> Counter[str]:
    """Count the forms of all words; where `most` may be held, the rarer half is forgotten when there are more."""
    surfaces: Counter[str] = Counter()
    for text in texts:
        surfaces.update(tokeniser.surfaces(text))
        if most is not None and len(surfaces) > most:
            surfaces = Counter(dict(surfaces.most_common(most // 2)))
    counts: Counter[str] = Counter()
    for surface, n in surfaces.items():
        counts[tokeniser.form(surface)] += n
    return counts
