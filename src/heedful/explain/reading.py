"""A text as a model takes it, and what is left of it without some of its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from heedful.data.featurise import Ids
from heedful.data.tokens import Token
from heedful.explain.explanation import Word
from heedful.runtime.model import Model, checked_text

RUN_TEXTS = 256


@dataclass(frozen=True)
class Reading:
    """The ids of a text, and which of them make up each word."""

    text: str
    ids: Ids
    words: tuple[Word, ...]
    sizes: NDArray[np.int64]  # (word,) how many ids each word has
    read_to: int  # characters that were read; the rest was cut off

    def keeping(self, kept: NDArray[np.bool_]) -> Ids:
        """Return the ids of the words (word,) that are kept, in their order."""
        return self.ids[np.repeat(kept, self.sizes)]

    def without(self, words: Sequence[int] | NDArray[np.int64]) -> Ids:
        """Return the ids that are left without these words."""
        kept = np.ones(len(self.words), dtype=np.bool_)
        kept[np.asarray(words, dtype=np.int64)] = False
        return self.keeping(kept)

    def only(self, words: Sequence[int] | NDArray[np.int64]) -> Ids:
        """Return the ids of these words alone."""
        kept = np.zeros(len(self.words), dtype=np.bool_)
        kept[np.asarray(words, dtype=np.int64)] = True
        return self.keeping(kept)

    def folded(self, values: NDArray[np.floating]) -> NDArray[np.floating]:
        """Add the values (…, token) of the pieces of each word: (…, word)."""
        if not self.words:
            return np.zeros((*values.shape[:-1], 0), dtype=values.dtype)
        starts = np.cumsum(self.sizes) - self.sizes
        return np.asarray(np.add.reduceat(values, starts, axis=-1), dtype=values.dtype)


def read(model: Model, text: str) -> Reading:
    """Return the text as the model takes it."""
    text = checked_text(text)
    tokens = model.featuriser.tokens(text)
    pieces = pieces_of_words(tokens)
    is_full = bool(tokens) and len(tokens) == model.featuriser.max_tokens
    return Reading(
        text=text,
        ids=model.featuriser.ids(text),
        words=tuple(word_of(model, text, group) for group in pieces),
        sizes=np.array([len(group) for group in pieces], dtype=np.int64),
        read_to=tokens[-1].end if is_full else len(text),
    )


def pieces_of_words(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the tokens of each word together."""
    return [list(pieces) for _, pieces in groupby(tokens, key=lambda token: token.word)]


def word_of(model: Model, text: str, pieces: Sequence[Token]) -> Word:
    """Return the word that these pieces make up."""
    start, end = pieces[0].start, pieces[-1].end
    return Word(text[start:end], start, end, all(model.featuriser.is_known(piece.form) for piece in pieces))


def answers(model: Model, variants: Sequence[Ids]) -> NDArray[np.float64]:
    """Return probabilities (variant, label), or numbers (variant, 1), running what is the same only once."""
    places: dict[bytes, int] = {}
    rows = [places.setdefault(ids.tobytes(), len(places)) for ids in variants]
    first = {row: i for i, row in reversed(list(enumerate(rows)))}
    distinct = [variants[first[row]] for row in range(len(places))]
    found = np.zeros((len(distinct), len(model.labels)), dtype=np.float64)
    for batch, (scores,) in model.run(distinct, ("scores",), batch_size=RUN_TEXTS):
        found[batch.positions] = answer_of(model, scores)
    return np.asarray(found[rows])


def answer_of(model: Model, scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return probabilities of scores (text, label); of a model whose answer is a number, that number."""
    return scores.astype(np.float64) if model.is_regressor else _softmax(scores.astype(np.float64))


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Keep 64 bits: effects are small differences of probabilities."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))
