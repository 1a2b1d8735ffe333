"""The score of a label as a waterfall: bias, the strongest words, all other words, score, probability."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from heedful.explain.attention.explanation import Explanation
from heedful.show.heatmaps.units import unit_of
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.truncate import shortened

MOST = 8  # words with a bar of their own
LONGEST = 40  # characters of a word
NEAR = 4.0  # zero is on the scale unless it is farther away than this many times the range of the sums
BIAS, WORD, OTHERS, TOTAL = "bias", "word", "others", "total"


@dataclass(frozen=True)
class Bar:
    """One part of the sum, or the sum."""

    kind: str  # BIAS, WORD, OTHERS or TOTAL
    name: str
    times: int  # occurrences of the word in the text
    value: float
    start: float  # both ends on the scale, from 0 to 1; `start` > `end` if the value is negative
    end: float
    words: tuple[int, ...] = ()  # positions of the words

    @property
    def number(self) -> str:
        """The value as it is shown."""
        return number(self.value, digits=2, plus=True)

    @property
    def sign(self) -> str:
        """The class of a word's colour."""
        return "" if self.kind in (BIAS, TOTAL) or not self.value else "for" if self.value > 0 else "against"

    @property
    def left(self) -> float:
        """The left end on the scale, in percent."""
        return round(100 * min(self.start, self.end), 2)

    @property
    def width(self) -> float:
        """In percent of the scale."""
        return round(100 * abs(self.end - self.start), 2)


@dataclass(frozen=True)
class Waterfall:
    """The bars of one score, from the bias to the sum, and what follows from it."""

    label: str
    about: str
    bars: tuple[Bar, ...]
    zero: float | None  # where 0 is on the scale, in percent; None if it is too far away
    result: str  # "probability 0.78"; "" if the answer is a number
    account: str  # how the result follows from the score


def waterfall(explanation: Explanation, label: str | None = None) -> Waterfall | None:
    """Return the score of a label as a sum; None if the head is not linear."""
    label = label or explanation.target
    values = explanation.contributions_to(label)
    if values is None or explanation.bias is None or explanation.scores is None:
        return None
    column = explanation.labels.index(label)
    parts = [(BIAS, BIAS, 1, float(explanation.bias[column]), ()), *_parts(explanation, values)]
    score = float(explanation.scores[column])
    total = "number" if explanation.is_number else "score"
    return Waterfall(
        label,
        f"bias + {unit_of(explanation.kind).many} = {total}" + ("" if explanation.is_number else " → probability"),
        *_placed(parts, (TOTAL, total, 1, score, ())),
        result="" if explanation.is_number else f"probability {number(explanation.probabilities[label], digits=2)}",
        account=_account(explanation),
    )


_Part = tuple[str, str, int, float, tuple[int, ...]]  # kind, name, times, value, words


def _parts(explanation: Explanation, values: NDArray[np.float64]) -> list[_Part]:
    """Return the strongest words, largest first, and all others as one part."""
    groups = _groups(explanation)
    member = np.empty(len(values), dtype=np.intp)  # the group of each word
    for i, places in enumerate(groups):
        member[list(places)] = i
    sums = np.bincount(member, weights=values, minlength=len(groups))
    order = np.argsort(-np.abs(sums), kind="stable").tolist()
    most = MOST if len(order) > MOST + 1 else len(order)
    words: list[_Part] = [
        (WORD, _named(explanation.words[groups[i][0]].text), len(groups[i]), float(sums[i]), groups[i])
        for i in order[:most]
    ]
    rest = order[most:]
    if not rest:
        return words
    n = sum(len(groups[i]) for i in rest)
    name = f"{n:,} other {unit_of(explanation.kind).many}"
    return [*words, (OTHERS, name, 1, float(sums[rest].sum()), ())]


def _named(word: str) -> str:
    """Return a word as it is shown in a list: punctuation is in quotes."""
    return shortened(word, LONGEST) if any(c.isalnum() for c in word) else f"“{shortened(word, LONGEST)}”"


def _groups(explanation: Explanation) -> list[tuple[int, ...]]:
    """Return the positions of each word of a text; atoms, frames and nodes are not grouped by name."""
    if explanation.kind != "text":
        return [(i,) for i in range(len(explanation.words))]
    groups: dict[str, list[int]] = {}
    for i, word in enumerate(explanation.words):
        groups.setdefault(word.text.casefold(), []).append(i)
    return [tuple(places) for places in groups.values()]


def _placed(parts: list[_Part], total: _Part) -> tuple[tuple[Bar, ...], float | None]:
    """Return the bars, and where zero is. Without a zero, the bias and the total are marks and not bars."""
    sums = list(accumulate(part[3] for part in parts))
    low, high = _range([*sums, total[3]])
    has_zero = low <= 0 <= high

    def at(value: float) -> float:
        return (value - low) / (high - low)

    edges = [(0.0 if has_zero else sums[0], sums[0]), *pairwise(sums), (0.0 if has_zero else total[3], total[3])]
    bars = tuple(
        Bar(kind, name, times, value, at(start), at(end), words)
        for (kind, name, times, value, words), (start, end) in zip([*parts, total], edges, strict=True)
    )
    return bars, round(100 * at(0), 2) if has_zero else None


def _range(sums: Iterable[float]) -> tuple[float, float]:
    values = np.array(list(sums))
    low, high = float(values.min()), float(values.max())
    if min(abs(low), abs(high)) <= NEAR * (high - low) or low <= 0 <= high or low == high:
        low, high = min(low, 0.0), max(high, 0.0)
    margin = 0.0 if low <= 0 <= high else (high - low) / 10
    return (low - margin, high + margin) if high > low else (low, low + 1.0)


def _account(explanation: Explanation) -> str:
    """Say how the probability follows from the score."""
    if explanation.is_number or explanation.scores is None:
        return ""
    if explanation.has_transitions:
        return "The probability is that of a CRF: it also depends on transitions from label to label."
    scores = explanation.scores
    probabilities = np.array([explanation.probabilities[label] for label in explanation.labels])
    powers = np.exp(scores - scores.max())
    if np.allclose(powers / powers.sum(), probabilities, atol=1e-3):
        return f"The probability is the softmax of the scores of all {len(scores)} labels."
    return "The probability is the sigmoid of the score."
