"""The score of each label of two texts as an exact sum over words and pairs of words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from heedful.data.batch import pad
from heedful.data.features import TextPair
from heedful.explain.attention.model_input import Reading
from heedful.explain.contributions import MOST_CELLS, Floats, LinearAnswer, Sum, Values, by_width
from heedful.network.heads.parts import PAIR_ANSWER, PAIR_GATES, PAIR_MAPS, STATES, SUM_BIAS
from heedful.runtime.model import Model

MOST_PAIRS = 500_000  # numbers in an array of pairs: tokens × tokens × labels


@dataclass(frozen=True)
class TextRun:
    """One text of a pair, and results of the graph for it."""

    reading: Reading
    weights: Floats  # (hop, token)
    states: Floats  # (token, width)
    rows: Floats  # (hop, width)

    @cached_property
    def rounding(self) -> Values:
        """The difference (hop, width) of the graph's rows, which are sums in 32 bits, and A H: 1e-5 in a long text."""
        return np.asarray(self.rows - self.weights.astype(np.float64) @ self.states)


@dataclass(frozen=True)
class PairSum:
    """The parts of the scores of one pair, by words: bias + Σ own of both texts + Σ pairs = scores.

    As a word's contribution is its own part and half of each of its pairs, bias + Σ contributions of both texts =
    scores. The same holds for hops.
    """

    bias: Values  # (label,)
    own: tuple[Values, Values]  # (word, label)
    contributions: tuple[Values, Values]  # (word, label)
    by_hop: tuple[Values, Values]  # (hop, label)
    pairs: Values | None  # (word of the first, word of the second, label); None if there are too many


@dataclass(frozen=True)
class BilinearAnswer:
    """How the scores of a pair depend on the rows of its texts: see `BilinearHead`."""

    own: tuple[LinearAnswer, LinearAnswer]  # U_p and U_h
    gates: tuple[Floats, Floats]  # W_p and W_h: (hop, width, gate)
    answer: Values  # w: (hop, gate, label), in the unit of the answer
    bias: Values  # (label,)

    @property
    def outputs(self) -> tuple[str, str, str]:
        """The outputs of the graph that `sum_of` needs."""
        return "weights", STATES, "rows"

    def sum_of(self, first: TextRun, second: TextRun) -> PairSum:
        """Take apart the scores of one pair."""
        texts = (first, second)
        gated = [np.einsum("hw,hwg->hg", text.rows, gate) for text, gate in zip(texts, self.gates, strict=True)]
        own = [_sum_over_words(linear, text) for linear, text in zip(self.own, texts, strict=True)]
        halves = [_sum_over_words(self._half_of_pairs(i, gated[1 - i]), text) for i, text in enumerate(texts)]
        (first_own, second_own), (first_half, second_half) = own, halves
        return PairSum(
            bias=self.bias,
            own=(first_own.by_token, second_own.by_token),
            contributions=(first_own.by_token + first_half.by_token, second_own.by_token + second_half.by_token),
            by_hop=(first_own.by_hop + first_half.by_hop, second_own.by_hop + second_half.by_hop),
            pairs=self._pairs(first, second) if self.can_list_pairs(first.reading, second.reading) else None,
        )

    def can_list_pairs(self, first: Reading, second: Reading) -> bool:
        """Return whether an array of all pairs of words is small enough."""
        return len(first.features) * len(second.features) * len(self.bias) <= MOST_PAIRS

    def _half_of_pairs(self, side: int, other: NDArray[np.floating]) -> LinearAnswer:
        """Return the map of a text's rows to half the sum of all pairs: given the other text, that is linear.

        `other` is M[hop] W[hop] of that text: (hop, gate).
        """
        gated = 0.5 * other[:, :, None] * self.answer  # (hop, gate, label)
        by_hop = self.gates[side] @ gated  # (hop, width, label)
        n_hops, width, n_labels = by_hop.shape
        flat = by_hop.reshape(n_hops * width, n_labels).astype(np.float32)
        return LinearAnswer(by_width(flat, n_hops), np.zeros(n_labels), n_hops, 1.0, has_length=False)

    def _pairs(self, first: TextRun, second: TextRun) -> Values:
        """Return what each pair of words adds: (word of the first, word of the second, label)."""
        by_label = np.moveaxis(self.answer.reshape(-1, len(self.bias)), 1, 0)  # (label, hop · gate)
        parts = np.zeros((len(by_label), len(first.states), len(second.states)))
        for rows, gates in self._gated_tokens(0, first):
            for columns, other_gates in self._gated_tokens(1, second):
                for label, weights in enumerate(by_label):
                    parts[label, rows, columns] = (gates * weights) @ other_gates.T
        by_second = second.reading.folded(parts)
        by_both = first.reading.folded(by_second.swapaxes(1, 2))  # (label, word of the second, word of the first)
        return np.asarray(by_both.transpose(2, 1, 0), dtype=np.float64)

    def _gated_tokens(self, side: int, text: TextRun) -> Iterator[tuple[slice, Values]]:
        """Yield A[hop, t] · (H[t] W[hop]) of some tokens at a time: (token, hop · gate)."""
        n_hops, width, n_gates = self.gates[side].shape
        flat = self.gates[side].transpose(1, 0, 2).reshape(width, n_hops * n_gates)
        rounding = np.einsum("hw,hwg->hg", text.rounding, self.gates[side])
        step = max(1, MOST_CELLS // flat.shape[1])
        for at in range(0, len(text.states), step):
            some = slice(at, at + step)
            mapped = (text.states[some] @ flat).reshape(-1, n_hops, n_gates) + rounding
            yield some, (mapped * text.weights[:, some].T[:, :, None]).reshape(len(mapped), -1)


def has_pair_contributions(model: Model) -> bool:
    """Return whether the scores of a model of pairs are sums over words and pairs of words."""
    return PAIR_ANSWER in model.session.outputs and model.n_sides == 2


_KNOWN: WeakKeyDictionary[Model, BilinearAnswer] = WeakKeyDictionary()  # fetching it takes as long as a run


def bilinear_answer(model: Model) -> BilinearAnswer:
    """Return how the scores of a model with contributions of pairs depend on the rows of both texts."""
    if (known := _KNOWN.get(model)) is None:
        known = _KNOWN[model] = _fetched(model)
    return known


def _fetched(model: Model) -> BilinearAnswer:
    side: Any = model.featuriser.shape.smallest()
    names = (*PAIR_MAPS, *PAIR_GATES, PAIR_ANSWER, SUM_BIAS)
    *own, first_gate, second_gate, answer, bias = model.session.run(pad([TextPair(side, side)], [0]), names)
    n_hops, n_labels = model.facts.n_hops, len(model.labels)
    first, second = _linear(model, own)
    return BilinearAnswer(
        own=(first, second),
        gates=(first_gate, second_gate),
        answer=answer.reshape(n_hops, -1, n_labels).astype(np.float64) * model.factor,
        bias=np.asarray(model.in_units(bias), dtype=np.float64),
    )


def _linear(model: Model, maps: Sequence[Floats]) -> list[LinearAnswer]:
    """Return the linear terms of both texts, without a bias."""
    n_hops, none = model.facts.n_hops, np.zeros(len(model.labels))
    return [LinearAnswer(by_width(flat, n_hops), none, n_hops, model.factor, has_length=False) for flat in maps]


def _sum_over_words(linear: LinearAnswer, text: TextRun) -> Sum:
    """Return a linear function of a text's rows as a sum over words. What rounding adds goes by the weights."""
    parts = linear.sum_of(text.weights, text.states)
    by_hop = linear.map.reshape(-1, linear.n_hops, parts.by_hop.shape[1])  # (width, hop, label)
    rounding = linear.factor * np.einsum("hw,whc->hc", text.rounding, by_hop)
    by_token = parts.by_token + text.weights.T @ rounding
    by_word = np.asarray(text.reading.folded(by_token.T).T, dtype=np.float64)
    return Sum(by_word, parts.by_hop + rounding, parts.bias)
