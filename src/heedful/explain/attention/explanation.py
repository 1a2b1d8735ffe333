"""What a model read in one text, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.shown import Forms, Pictured
from heedful.store.verdict import NOT_AUDITED, Verdict

# What a word does to the answer, by different ways of asking. Signed: more than 0 speaks for the label asked about.
LEAVE_ONE_OUT, GRADIENT, INTEGRATED = "leave-one-out", "gradient", "integrated"
METHODS = {
    LEAVE_ONE_OUT: "how much less probable the label is without this word",
    GRADIENT: "gradient × input: slope of the label's log-odds along the word's vector",
    INTEGRATED: "integrated gradients: the word's share of the label's log-odds, counted from vectors of zeros",
}


@dataclass(frozen=True)
class Word:
    """A word as it stands in the text: `text[start:end]`."""

    text: str
    start: int
    end: int
    is_known: bool


@dataclass(frozen=True)
class Explanation(Pictured):
    """The words of a text, the weight of each in each hop and overall, the prediction, and the effects of words on it.

    Weights are where the model looked. They have no sign and belong to no label. Effects have both.
    """

    FORMS = Forms(
        page="heedful.show.heatmaps.page:page_of",
        fragment="heedful.show.heatmaps.page:fragment_of",
        plain="heedful.show.heatmaps.terminal:plain",
        picture="heedful.show.heatmaps.pictures:picture_of",
    )

    text: str
    words: tuple[Word, ...]
    weights: NDArray[np.float32]  # (hop, word); each hop sums to 1, or to 0 for a text without words
    label: str
    probabilities: Mapping[str, float]
    read_to: int  # characters of the text that were read; the rest was cut off
    effects: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)  # method → (word,), for `target`
    target: str = ""  # the label that the effects are for; the answer unless another was asked about
    verdict: Verdict = NOT_AUDITED
    notes: tuple[str, ...] = ()  # what was left out, and why
    hop: int | None = None  # where the weights are those of one hop, which (from 1)
    kind: str = "text"  # of input: a sound, a molecule, a graph, vectors
    source: Any = field(default=None, repr=False, compare=False)  # what was given: a text, a path, a graph
    is_number: bool = False  # whether the answer is a number: `label` is its name, and `probabilities` has its value
    hop_effects: NDArray[np.float64] | None = None  # (hop,), for `target`: how much less it is without the hop's row

    def __post_init__(self) -> None:
        if not self.target:
            object.__setattr__(self, "target", self.label)

    @property
    def overall(self) -> NDArray[np.float32]:
        """All hops summed and scaled to 1 (the paper's overall heatmap)."""
        total = self.weights.sum(axis=0)
        return np.asarray(total / max(float(total.sum()), 1e-12), dtype=np.float32)

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
        """Return the `n` words with the largest weight, overall or in one hop, or the largest effect by a method."""
        values = self.effects[method] if method else self.overall if hop is None else self.weights[hop]
        return [(self.words[i].text, float(values[i])) for i in np.argsort(-values, kind="stable")[:n]]

    def of_hop(self, hop: int) -> Explanation:
        """Return the same with the weights of one hop alone, counted from 1."""
        if not 1 <= hop <= len(self.weights) or self.hop is not None:
            raise HeedfulError(f"there is no hop {hop}: expected 1 to {len(self.weights)}")
        own = slice(hop - 1, hop)
        effects = None if self.hop_effects is None else self.hop_effects[own]
        return replace(self, weights=self.weights[own], hop_effects=effects, hop=hop)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        effects = {method.replace("-", "_"): values for method, values in self.effects.items()}
        return {
            "text": self.text,
            "label": self.label,
            **(
                {"value": self.probabilities[self.label]}
                if self.is_number
                else {"probabilities": dict(self.probabilities)}
            ),
            "target": self.target,
            "words": [
                {
                    "text": w.text,
                    "start": w.start,
                    "end": w.end,
                    "is_known": w.is_known,
                    "weight": float(o),
                    **{method: _number(values[i]) for method, values in effects.items()},
                }
                for i, (w, o) in enumerate(zip(self.words, self.overall, strict=True))
            ],
            "hops": self.weights.tolist(),
            "hop_effects": None if self.hop_effects is None else self.hop_effects.tolist(),
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
