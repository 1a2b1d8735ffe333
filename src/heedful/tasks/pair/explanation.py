"""What a model read in two texts, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import LEAVE_ONE_OUT, Explanation
from heedful.explain.shown import Forms, Pictured
from heedful.store.verdict import Verdict

Values = NDArray[np.float64]
OF_A_TEXT = (
    "text",
    "words",
    "contributions",
    "hops",
    "hop_contributions",
    "read_to",
    "warning",
    "notes",
)  # the rest is shared
NAMES = ("first text", "second text")


@dataclass(frozen=True, repr=False)
class PairExplanation(Pictured):
    """An answer to two texts, and what was read in each of them.

    Each side is an Explanation of its own. Its effects are those of its words on the one answer, the other text staying
    whole. With a bilinear head two sums are exact:

    - `bias + first.contributions.sum(0) + second.contributions.sum(0) = scores`, and
    - `bias + own_contributions[0].sum(0) + own_contributions[1].sum(0) + pair_contributions.sum((0, 1)) = scores`.

    The contribution of a word is its own part and half of each of its pairs.

    Attributes:
        first: the first text.
        second: the second text.
        names: names of the two texts, such as premise and hypothesis.
        bias: (label,); None if the head is not bilinear, as the three below.
        scores: (label,); probabilities are their softmax.
        own_contributions: (word, label) of either text, without pairs.
        pair_contributions: (first word, second word, label); also None if there are too many.

    Example:
        >>> explanation = pair_model.explain(("a dog sleeps", "the dog runs"))
        >>> explanation.label in explanation.labels
        True
    """

    FORMS = Forms(
        page="heedful.tasks.pair.show.page:page_of",
        fragment="heedful.tasks.pair.show.page:fragment_of",
        plain="heedful.tasks.pair.show.terminal:plain_pair",
        picture="heedful.tasks.pair.show.picture:pair_picture",
    )

    first: Explanation
    second: Explanation
    names: tuple[str, str] = NAMES
    bias: Values | None = None
    scores: Values | None = None
    own_contributions: tuple[Values, Values] | None = None
    pair_contributions: Values | None = None

    def __post_init__(self) -> None:
        if (self.first.label, self.first.target) != (self.second.label, self.second.target):
            raise HeedfulError("the two sides of a pair have one answer; found two")

    @property
    def sides(self) -> tuple[Explanation, Explanation]:
        """Both texts."""
        return self.first, self.second

    @property
    def label(self) -> str:
        """The answer; if it is a number, the name of that."""
        return self.first.label

    @property
    def target(self) -> str:
        """The label that the effects are for."""
        return self.first.target

    @property
    def probabilities(self) -> Mapping[str, float]:
        """The probability of each label; if the answer is a number, its value."""
        return self.first.probabilities

    @property
    def is_number(self) -> bool:
        """Whether the answer is a number."""
        return self.first.is_number

    @property
    def verdict(self) -> Verdict:
        """The verdict of an audit of the model."""
        return self.first.verdict

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the last axis of contributions."""
        return self.first.labels

    def pair_contributions_to(self, label: str | None = None) -> Values | None:
        """Return the contribution of each pair of words to the score of a label.

        Args:
            label: by default `target`.

        Returns:
            An array (first word, second word); None if the head is not bilinear or there are too many pairs.

        Raises:
            HeedfulError: if the model has no such label.

        Example:
            >>> pair_model.explain(("a dog sleeps", "the dog runs")).pair_contributions_to().shape
            (3, 3)
        """
        column = self.first.column(label or self.target)
        return None if self.pair_contributions is None else np.asarray(self.pair_contributions[:, :, column])

    def top(self, n: int = 5, *, method: str | None = None) -> list[tuple[str, str, float]]:
        """Return the words of either text with the largest contributions to the score of the target.

        Args:
            n: number of words.
            method: rank words by the effects of this method; the default if the head is not bilinear.

        Returns:
            For each word the name of its text, the word, and its contribution or effect.

        Example:
            >>> pair_model.explain(("a dog sleeps", "the dog runs")).top(1)
            [(...)]
        """
        cells = [
            (name, word.text, float(value))
            for name, side in zip(self.names, self.sides, strict=True)
            for word, value in zip(side.words, _values(side, method), strict=True)
        ]
        return sorted(cells, key=lambda each: -each[2])[:n]

    def top_pairs(self, n: int = 5) -> list[tuple[str, str, float]]:
        """Return the pairs of words with the largest contributions to the score of the target.

        Args:
            n: number of pairs.

        Returns:
            For each pair the word of the first text, the word of the second, and the contribution.

        Example:
            >>> len(pair_model.explain(("a dog sleeps", "the dog runs")).top_pairs(2))
            2
        """
        parts = self.pair_contributions_to()
        if parts is None or not parts.size:
            return []
        order = np.argsort(-parts, axis=None, kind="stable")[:n]
        return [
            (self.first.words[i].text, self.second.words[j].text, float(parts[i, j]))
            for i, j in zip(*np.unravel_index(order, parts.shape), strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Returns:
            Label, probabilities, scores, bias, and both texts with their words.

        Example:
            >>> len(pair_model.explain(("a dog sleeps", "the dog runs")).to_dict()["texts"])
            2
        """
        trees = [side.to_dict() for side in self.sides]
        shared = {name: value for name, value in trees[0].items() if name not in OF_A_TEXT}
        texts = [
            {"name": name, **{key: tree[key] for key in OF_A_TEXT}, **self._sum_of_text(side)}
            for side, (name, tree) in enumerate(zip(self.names, trees, strict=True))
        ]
        return {**shared, **self._sum(), "texts": texts}

    def _sum(self) -> dict[str, Any]:
        """Return bias and scores of all labels, and what each pair of words adds to the score of the target."""
        if self.bias is None or self.scores is None:
            return {"scores": None, "bias": None, "pair_contributions": None}
        pairs = self.pair_contributions_to()
        return {
            "scores": dict(zip(self.labels, self.scores.tolist(), strict=True)),
            "bias": dict(zip(self.labels, self.bias.tolist(), strict=True)),
            "pair_contributions": None if pairs is None else pairs.tolist(),
        }

    def _sum_of_text(self, side: int) -> dict[str, Any]:
        """Return what each word of a text adds to the score of each label, with and without pairs."""
        whole = self.sides[side].contributions
        if whole is None or self.own_contributions is None:
            return {"contributions": None, "own_contributions": None}
        return {
            name: {label: values[:, i].tolist() for i, label in enumerate(self.labels)}
            for name, values in (("contributions", whole), ("own_contributions", self.own_contributions[side]))
        }


def _values(side: Explanation, method: str | None) -> Values:
    """Return the numbers by which words are ranked."""
    contributions = side.contributions_to() if method is None else None
    return side.effects[method or LEAVE_ONE_OUT] if contributions is None else contributions
