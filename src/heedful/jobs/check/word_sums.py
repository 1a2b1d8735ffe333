"""The scores of a row as exact sums over its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.input_spec import NGRAM_COUNTS, NGRAMS
from heedful.explain.attention.explanation import Word
from heedful.explain.contributions import has_contributions, linear_answer
from heedful.explain.similarity import word_parts
from heedful.explain.words.text_parts import read_parts
from heedful.inputs.text.known_ngrams import KnownNGrams
from heedful.runtime.model import Model
from heedful.tasks.embed.model import Encoder
from heedful.text.segment import segmented
from heedful.text.tokens import TokenisedWord
from heedful.text.word_tokeniser import WordTokeniser

Values = NDArray[np.float64]


@dataclass(frozen=True)
class RowSum:
    """score = bias + Σ over words, for some labels."""

    words: tuple[Word, ...]
    contributions: Values  # (word, label)
    bias: Values  # (label,)


class FoldSums:
    """Sums of the regressions that judged the rows of each fold."""

    def __init__(
        self,
        texts: Sequence[str],
        encoder: Encoder | None,
        known: KnownNGrams,
        folds: NDArray[np.int64],
        weights: Sequence[Any],
    ) -> None:
        self._texts, self._encoder, self._known = texts, encoder, known
        self._folds, self._weights = folds, weights  # of each fold: scale, ngrams, vectors, bias

    def of(self, row: int, labels: Sequence[int]) -> RowSum | None:
        """Return what each word of a row adds to the scores of some labels; None if it has no words."""
        text, weights, columns = self._texts[row], self._weights[self._folds[row]], list(labels)
        words, contributions = self._of_vectors(text, weights, columns)
        if not words:
            return None
        starts = np.array([word.start for word in words])
        by_position = self._of_ngrams(text, weights, columns)
        owner = np.maximum(np.searchsorted(starts, np.arange(len(text)), side="right") - 1, 0)
        np.add.at(contributions, owner, by_position)
        return RowSum(words, contributions, weights.bias[columns].astype(np.float64))

    def _of_vectors(self, text: str, weights: Any, columns: list[int]) -> tuple[tuple[Word, ...], Values]:
        if self._encoder is None:
            words = words_of(text)
            return words, np.zeros((len(words), len(columns)))
        (parts,) = word_parts(self._encoder, [text])
        length = max(float(np.linalg.norm(parts.vector)), 1e-12)
        return parts.words, parts.parts @ weights.vectors[:, columns].astype(np.float64) / length

    def _of_ngrams(self, text: str, weights: Any, columns: list[int]) -> Values:
        """Return (position, label) of the n-grams, scaled to length 1 as in the fit."""
        arrays = self._known.arrays(text)
        ids = arrays[NGRAMS]
        values = arrays[NGRAM_COUNTS].astype(np.float64) * weights.scale[ids]
        values /= max(float(np.sqrt((values**2).sum())), 1e-12)
        return self._known.by_position(text, ids, values[:, None] * weights.ngrams[ids][:, columns].astype(np.float64))


def words_of(text: str) -> tuple[Word, ...]:
    """Return the words of a text in any script."""
    tokens = [TokenisedWord(start, end, 1, True) for _, start, end, _ in WordTokeniser().tokens(text)]
    return tuple(Word(text[start:end], start, end, True) for start, end, *_ in segmented(text, tokens))


class ModelSums:
    """Sums of a trained model whose answers add up."""

    def __init__(self, model: Model, texts: Sequence[str], columns: Sequence[int]) -> None:
        self._model, self._texts, self._columns = model, texts, columns
        self._has_sums = has_contributions(model)

    def of(self, row: int, labels: Sequence[int]) -> RowSum | None:
        """Return what each word of a row adds to the scores of some labels; None if the model has no such sums."""
        if not self._has_sums:
            return None
        ((parts,),) = read_parts(self._model, [(row, self._texts[row])])
        columns = [self._columns[label] for label in labels]
        if not parts.words:
            return None
        bias = linear_answer(self._model).bias[columns]
        return RowSum(parts.words, parts.contributions[:, columns], np.asarray(bias, dtype=np.float64))
