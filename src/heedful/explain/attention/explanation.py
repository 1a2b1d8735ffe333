"""The explanation of one answer, as plain values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError, did_you_mean, listed
from heedful.explain.shown import Forms, Pictured
from heedful.store.verdict import NOT_AUDITED, Verdict

# What a word does to the answer, by different ways of asking. Signed: more than 0 speaks for the label asked about.
LEAVE_ONE_OUT, GRADIENT, INTEGRATED = "leave-one-out", "gradient", "integrated"
METHODS = {
    LEAVE_ONE_OUT: "how much less probable the label is without this word",
    GRADIENT: "gradient × input: slope of the label's log-odds along the word's vector",
    INTEGRATED: "integrated gradients: the word's share of the label's log-odds, counted from vectors of zeros",
}


class Word(NamedTuple):
    """A word as it stands in the text: `text[start:end]`."""

    text: str
    start: int
    end: int
    is_known: bool


@dataclass(frozen=True, repr=False)
class Explanation(Pictured):
    """The words of a text, the prediction, and what each word adds to the score of each label.

    With a linear head the contributions are exact: `bias + contributions.sum(axis=0)` equals `scores`. Weights show
    where the model looked; they have no sign and belong to no label. Effects are measured by other methods. Printed,
    it is plain text; in a notebook, a heatmap.

    Attributes:
        text: the text.
        words: its words, with their positions in the text.
        weights: attention (hop, word); each hop sums to 1, or to 0 for a text without words.
        label: the answer; if it is a number, the name of that.
        probabilities: of each label; if the answer is a number, its value.
        read_to: characters of the text that were read; the rest was truncated.
        effects: by method, the effect of each word (word,) on `target`.
        target: the label that effects are for; the answer unless another was asked about.
        verdict: the verdict of an audit of the model.
        notes: what was left out, and why.
        hop: if the weights are those of one hop, which, counted from 1.
        kind: kind of input: text, audio, molecule, graph or vectors.
        source: the input as given.
        is_number: whether the answer is a number.
        hop_effects: (hop,) fall of `target` without the hop's row.
        contributions: (word, label); None if the head is not linear.
        bias: (label,).
        scores: (label,); probabilities are their softmax or sigmoid.
        hop_contributions: (hop, label); bias + their sum = scores, too, unless there are n-grams.
        ngram_contributions: (label,) of all n-grams, if the model has them; bias + hops + n-grams = scores.
        has_transitions: whether the label also depends on those beside it, by a CRF.

    Example:
        >>> explanation = model.explain("the soup was lovely")
        >>> bool(abs(explanation.bias + explanation.contributions.sum(axis=0) - explanation.scores).max() < 1e-4)
        True
    """

    FORMS = Forms(
        page="heedful.show.heatmaps.page:page_of",
        fragment="heedful.show.heatmaps.page:fragment_of",
        plain="heedful.show.heatmaps.terminal:plain",
        picture="heedful.show.heatmaps.pictures:picture_of",
    )

    text: str
    words: tuple[Word, ...]
    weights: NDArray[np.float32]
    label: str
    probabilities: Mapping[str, float]
    read_to: int
    effects: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    target: str = ""
    verdict: Verdict = NOT_AUDITED
    notes: tuple[str, ...] = ()
    hop: int | None = None
    kind: str = "text"
    source: Any = field(default=None, repr=False, compare=False)
    is_number: bool = False
    hop_effects: NDArray[np.float64] | None = None
    contributions: NDArray[np.float64] | None = None
    bias: NDArray[np.float64] | None = None
    scores: NDArray[np.float64] | None = None
    hop_contributions: NDArray[np.float64] | None = None
    ngram_contributions: NDArray[np.float64] | None = None
    has_transitions: bool = False

    def __post_init__(self) -> None:
        if not self.target:
            object.__setattr__(self, "target", self.label)

    @property
    def overall(self) -> NDArray[np.float32]:
        """All hops summed and scaled to 1 (the paper's overall heatmap)."""
        total = self.weights.sum(axis=0)
        return np.asarray(total / max(float(total.sum()), 1e-12), dtype=np.float32)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the columns of `contributions`."""
        return tuple(self.probabilities)

    def contributions_to(self, label: str | None = None) -> NDArray[np.float64] | None:
        """Return the contribution of each word to the score of a label.

        Args:
            label: by default `target`.

        Returns:
            An array (word,); None if the head is not linear.

        Raises:
            HeedfulError: if the model has no such label.

        Example:
            >>> model.explain("the soup was lovely").contributions_to("good").shape
            (4,)
        """
        if self.contributions is None:
            return None
        return np.asarray(self.contributions[:, self.column(label or self.target)])

    def hop_contributions_to(self, label: str | None = None) -> NDArray[np.float64] | None:
        """Return the contribution of each hop to the score of a label.

        Args:
            label: by default `target`.

        Returns:
            An array (hop,); None if the head is not linear.

        Raises:
            HeedfulError: if the model has no such label.

        Example:
            >>> model.explain("the soup was lovely").hop_contributions_to("good").shape
            (2,)
        """
        if self.hop_contributions is None:
            return None
        return np.asarray(self.hop_contributions[:, self.column(label or self.target)])

    def column(self, label: str) -> int:
        """Return the position of a label on the last axis of contributions."""
        if label not in self.probabilities:
            raise HeedfulError(
                f"the model has no label {label!r}.{did_you_mean(label, self.labels)} It has: {listed(self.labels)}"
            )
        return self.labels.index(label)

    @property
    def left_out(self) -> NDArray[np.float64] | None:
        """The leave-one-out effect of each word, if it was asked for."""
        return self.effects.get(LEAVE_ONE_OUT)

    @property
    def warning(self) -> str | None:
        """Doubts about the prediction: a text of which the model knows few words."""
        if not self.words:
            return "There are no words in this text: do not rely on its answer."
        known = sum(word.is_known for word in self.words)
        if known * 2 >= len(self.words):
            return None
        return f"The model knows {known} of the {len(self.words)} words of this text: do not rely on its answer."

    def top(self, n: int = 5, *, hop: int | None = None, method: str | None = None) -> list[tuple[str, float]]:
        """Return the words with the largest contributions to the score of the target.

        Args:
            n: number of words.
            hop: rank words by the weights of this hop, counted from 0.
            method: rank words by the effects of this method.

        Returns:
            Words with their contributions, the largest first; if the head is not linear, with their weights.

        Example:
            >>> model.explain("the soup was lovely").top(1)
            [('lovely', ...)]
        """
        own = self.contributions_to() if hop is None else self.weights[hop]
        values = self.effects[method] if method else self.overall if own is None else own
        return [(self.words[i].text, float(values[i])) for i in np.argsort(-values, kind="stable")[:n]]

    def of_hop(self, hop: int) -> Explanation:
        """Return the same explanation with the weights of one hop alone.

        Args:
            hop: number of the hop, counted from 1.

        Returns:
            An explanation without contributions of words, which belong to all hops together.

        Raises:
            HeedfulError: if there is no such hop.

        Example:
            >>> model.explain("the soup was lovely").of_hop(1).weights.shape
            (1, 4)
        """
        if not 1 <= hop <= len(self.weights) or self.hop is not None:
            raise HeedfulError(f"there is no hop {hop}: expected 1 to {len(self.weights)}")
        own = slice(hop - 1, hop)
        effects = None if self.hop_effects is None else self.hop_effects[own]
        added = None if self.hop_contributions is None else self.hop_contributions[own]
        whole = replace(self, contributions=None, bias=None, scores=None)  # these are of all hops
        return replace(whole, weights=self.weights[own], hop_effects=effects, hop_contributions=added, hop=hop)

    def most_probable(self, n: int) -> list[str]:
        """Return the target and the most probable other labels, `n` in all."""
        order = sorted(self.labels, key=lambda label: (label != self.target, -self.probabilities[label]))
        return order[:n]

    def _sum(self, labels: Collection[str] | None) -> dict[str, Any]:
        """Return the parts of the scores: bias + Σ contributions = scores."""
        if self.contributions is None or self.bias is None or self.scores is None:
            return {"scores": None, "bias": None, "contributions": None}
        return {
            "scores": dict(zip(self.labels, self.scores.tolist(), strict=True)),
            "bias": dict(zip(self.labels, self.bias.tolist(), strict=True)),
            "contributions": {
                name: self.contributions[:, i].tolist()
                for i, name in enumerate(self.labels)
                if labels is None or name in labels
            },
        }

    def to_dict(self, *, labels: Collection[str] | None = None) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Args:
            labels: labels whose contributions are included; by default all.

        Returns:
            Text, label, probabilities, scores, bias, contributions, words, hops and verdict.

        Example:
            >>> model.explain("the soup was lovely").to_dict()["label"]
            'good'
        """
        effects = {method.replace("-", "_"): values for method, values in self.effects.items()}
        own = self.contributions_to()
        return {
            "text": self.text,
            "label": self.label,
            **(
                {"value": self.probabilities[self.label]}
                if self.is_number
                else {"probabilities": dict(self.probabilities)}
            ),
            "target": self.target,
            **self._sum(labels),
            "words": [
                {
                    "text": w.text,
                    "start": w.start,
                    "end": w.end,
                    "is_known": w.is_known,
                    **({} if own is None else {"contribution": float(own[i])}),
                    "weight": float(o),
                    **{method: _number(values[i]) for method, values in effects.items()},
                }
                for i, (w, o) in enumerate(zip(self.words, self.overall, strict=True))
            ],
            "hops": self.weights.tolist(),
            "hop_effects": None if self.hop_effects is None else self.hop_effects.tolist(),
            "hop_contributions": None if (hops := self.hop_contributions_to()) is None else hops.tolist(),
            **({"hop": self.hop} if self.hop is not None else {}),
            "read_to": self.read_to,
            "warning": self.warning,
            "notes": list(self.notes),
            "verdict": self.verdict.words,
            "verdict_level": self.verdict.level,
        }


def _number(value: float) -> float | None:
    """Return a number for JSON, None for an effect that cannot be asked about."""
    return None if np.isnan(value) else float(value)
