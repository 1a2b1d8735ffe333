"""The explanation of the labels of a text's words, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError, did_you_mean, listed
from heedful.explain.attention.explanation import Word
from heedful.explain.shown import Forms, Pictured
from heedful.store.verdict import Verdict
from heedful.tasks.tag.spans import Span, marks_spans, spans

Values = NDArray[np.float64]
NO_AUDIT = Verdict(
    "not audited",
    "Not audited: audits are for models with one answer to a text. Nothing has tested whether these weights show what "
    "a label depends on; leave-one-out of a single word does show it.",
)
SUM_NOT_AUDITED = Verdict(
    "not audited",
    "Not audited: audits are for models with one answer to a text. The sum is exact; whether it shows what a label "
    "depends on has not been tested. Leave-one-out of a single word shows that.",
)


@dataclass(frozen=True, repr=False)
class TagExplanation(Pictured):
    """The words of a text with their labels, and each label's score as a sum over the words that were looked at.

    With a linear head the sum is exact: for word i and label c,
    `scores[i, c] = bias[c] + own[i, c] + contributions_to(c)[i].sum()`. A contribution is a weight times a value, so
    only these are kept. All contributions of 10,000 words to 9 labels would take 7 GB: `contributions` has those to the
    label of each word, `contributions_to` those to any one label. With a CRF the labels also depend on `transitions`.

    Attributes:
        text: the text.
        words: its words, with their positions in the text.
        labels: the label of each word.
        probabilities: (word,) of its label.
        weights: (word that looks, word that is looked at); each row sums to 1.
        read_to: characters of the text that were read; the rest was truncated.
        kind: kind of input: text or graph.
        verdict: taggers are not audited.
        tagset: all labels, in the order of the columns of `scores`.
        scores: (word, label).
        bias: (label,); None if the head is not linear.
        own: (word, label) contribution of the word's own state; zeros if rows do not have it.
        values: (word, label) contribution to a word that looks at this one with a weight of 1.
        transitions: (word,) of a CRF: from the label before; the last word's also to EOS.

    Example:
        >>> tagger.explain("anna lives in rome").labels
        ('B-person', 'O', 'O', 'B-place')
    """

    FORMS = Forms(
        page="heedful.tasks.tag.show.page:page_of",
        fragment="heedful.tasks.tag.show.page:fragment_of",
        plain="heedful.tasks.tag.show.terminal:plain_tags",
        picture="heedful.tasks.tag.show.picture:tags_picture",
    )

    text: str
    words: tuple[Word, ...]
    labels: tuple[str, ...]
    probabilities: Values
    weights: NDArray[np.floating]
    read_to: int
    kind: str = "text"
    verdict: Verdict = NO_AUDIT
    tagset: tuple[str, ...] = ()
    scores: Values | None = None
    bias: Values | None = None
    own: Values | None = None
    values: Values | None = None
    transitions: Values | None = None

    @property
    def spans(self) -> list[Span]:
        """The spans that labels such as B-person and I-person mark, by their words."""
        return spans(self.labels) if self.has_spans else []

    @property
    def has_spans(self) -> bool:
        """Whether labels are of spans."""
        return marks_spans(self.labels)

    @property
    def has_contributions(self) -> bool:
        """Whether scores are sums over the words that were looked at."""
        return self.values is not None

    @property
    def columns(self) -> NDArray[np.int64]:
        """The column of each word's label in `scores` (word,)."""
        return np.array([self.tagset.index(label) for label in self.labels], dtype=np.int64)

    @property
    def contributions(self) -> Values | None:
        """Contributions to the label of each word (word, word looked at); None if the head is not linear."""
        return None if self.values is None else np.asarray(self.weights * self.values[:, self.columns].T)

    def contributions_to(self, label: str) -> Values | None:
        """Return contributions to the score of one label.

        Args:
            label: a label.

        Returns:
            An array (word, word looked at); None if the head is not linear.

        Raises:
            HeedfulError: if the model has no such label.

        Example:
            >>> tagger.explain("anna lives in rome").contributions_to("B-place").shape
            (4, 4)
        """
        column = self._column(label)
        return None if self.values is None else np.asarray(self.weights * self.values[:, column])

    def contributions_of(self, word: int) -> Values | None:
        """Return contributions to the label of a word.

        Args:
            word: index of the word, counted from 0.

        Returns:
            An array (word looked at,); None if the head is not linear.

        Example:
            >>> tagger.explain("anna lives in rome").contributions_of(3).shape
            (4,)
        """
        if self.values is None:
            return None
        return np.asarray(self.weights[word] * self.values[:, self.tagset.index(self.labels[word])])

    def top(self, word: int, n: int = 3) -> list[tuple[str, float]]:
        """Return the words that a word looked at most.

        Args:
            word: index of the word, counted from 0.
            n: number of words.

        Returns:
            Words with their weights, the largest first.

        Example:
            >>> len(tagger.explain("anna lives in rome").top(3, n=2))
            2
        """
        order = np.argsort(-self.weights[word], kind="stable")[:n]
        return [(self.words[j].text, float(self.weights[word, j])) for j in order]

    def _column(self, label: str) -> int:
        if label not in self.tagset:
            raise HeedfulError(
                f"the model has no label {label!r}.{did_you_mean(label, self.tagset)} It has: {listed(self.tagset)}"
            )
        return self.tagset.index(label)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Returns:
            Text, words with tags, weights and contributions, and spans. The size grows with the square of the words.

        Example:
            >>> tagger.explain("anna lives in rome").to_dict()["words"][3]["tag"]
            'B-place'
        """
        return {
            "text": self.text,
            "bias": None if self.bias is None else self._by_label(self.bias),
            "words": [self._word(i) for i in range(len(self.words))],
            "spans": [
                {"kind": kind, "start": self.words[first].start, "end": self.words[end - 1].end}
                for kind, first, end in self.spans
            ],
            "read_to": self.read_to,
            "verdict": self.verdict.words,
            "verdict_level": self.verdict.level,
        }

    def _word(self, i: int) -> dict[str, Any]:
        word, added = self.words[i], self.contributions_of(i)
        return {
            "text": word.text,
            "start": word.start,
            "end": word.end,
            "is_known": word.is_known,
            "tag": self.labels[i],
            "probability": float(self.probabilities[i]),
            **({} if self.scores is None else {"scores": self._by_label(self.scores[i])}),
            **({} if self.own is None else {"own": float(self.own[i, self.tagset.index(self.labels[i])])}),
            **({} if added is None else {"contributions": added.tolist()}),
            **({} if self.transitions is None else {"transition": float(self.transitions[i])}),
            "weights": self.weights[i].tolist(),
        }

    def _by_label(self, numbers: Values) -> dict[str, float]:
        return dict(zip(self.tagset, numbers.tolist(), strict=True))
