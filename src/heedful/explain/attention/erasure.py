"""Erasure: the prediction without a word, without the important words, and with these alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heedful.explain.attention.model_input import Reading, answers
from heedful.explain.audit.audit import SHARES
from heedful.runtime.model import Model

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Erased:
    """How much less probable the answer is, for each of SHARES."""

    without_top: Values  # (share,) without the most important words
    only_top: Values  # (share,) with these alone

    @property
    def comprehensiveness(self) -> float:
        """ERASER's: the mean fall without the important words."""
        return float(self.without_top.mean())

    @property
    def sufficiency(self) -> float:
        """ERASER's: the mean fall with the important words alone."""
        return float(self.only_top.mean())


def leave_one_out(model: Model, reading: Reading, target: int) -> Values:
    """Return p(text) − p(text without the word) of a label, for each word: all in one batch.

    Of a model whose answer is a number, the difference is of that number.
    """
    if not reading.words:
        return np.zeros(0)
    variants = [reading.features, *(reading.without([i]) for i in range(len(reading.words)))]
    probabilities = answers(model, variants)[:, target]
    return np.asarray(probabilities[0] - probabilities[1:])


def erase(model: Model, reading: Reading, orders: Mapping[str, NDArray[np.int64]], target: int) -> dict[str, Erased]:
    """Erase the first words of each order (most important first), and all but these."""
    tops = [(name, order[:n]) for name, order in orders.items() for n in top_sizes(len(reading.words))]
    variants = [reading.features, *(reading.without(top) for _, top in tops), *(reading.only(top) for _, top in tops)]
    probabilities = answers(model, variants)[:, target]
    falls = (probabilities[0] - probabilities[1:]).reshape(2, len(orders), len(SHARES))
    return {name: Erased(falls[0, i], falls[1, i]) for i, name in enumerate(orders)}


def top_sizes(n_words: int) -> list[int]:
    """Return the number of words for each of SHARES, rounded up."""
    return [-(-round(share * 100) * n_words // 100) for share in SHARES]


def order_of(values: NDArray[np.floating], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the words from the largest value to the smallest; ties in random order.

    By place, a model that weighs all words alike would be measured by how telling the first words of texts are.
    """
    shuffled = rng.permutation(len(values))
    return np.asarray(shuffled[np.argsort(-values[shuffled], kind="stable")])
