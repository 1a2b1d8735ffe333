"""What a model read in one text, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

NOT_AUDITED = "Not audited: nothing has tested yet whether these weights show what the answer depends on."


@dataclass(frozen=True)
class Word:
    """A word as it stands in the text: `text[start:end]`."""

    text: str
    start: int
    end: int
    is_known: bool


@dataclass(frozen=True)
class Explanation:
    """The words of a text, the weight of each in each hop and overall, and the answer.

    Weights are where the model looked. They have no sign and belong to no label.
    """

    text: str
    words: tuple[Word, ...]
    weights: NDArray[np.float32]  # (hop, word); each hop sums to 1, or to 0 for a text without words
    label: str
    probabilities: Mapping[str, float]
    read_to: int  # characters of the text that were read; the rest was cut off
    verdict: str = NOT_AUDITED

    @property
    def overall(self) -> NDArray[np.float32]:
        """All hops summed and scaled to 1 (the paper's overall heatmap)."""
        total = self.weights.sum(axis=0)
        return np.asarray(total / max(float(total.sum()), 1e-12), dtype=np.float32)

    @property
    def warning(self) -> str | None:
        """What speaks against the answer itself: a text of which the model knows little."""
        known = sum(word.is_known for word in self.words)
        if known * 2 >= len(self.words) and self.words:
            return None
        return f"The model knows {known} of the {len(self.words)} words of this text: do not rely on its answer."

    def top(self, n: int = 5, *, hop: int | None = None) -> list[tuple[str, float]]:
        """Return the `n` words with the largest weight, overall or in one hop."""
        weights = self.overall if hop is None else self.weights[hop]
        return [(self.words[i].text, float(weights[i])) for i in np.argsort(-weights, kind="stable")[:n]]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return {
            "text": self.text,
            "label": self.label,
            "probabilities": dict(self.probabilities),
            "words": [
                {"text": w.text, "start": w.start, "end": w.end, "is_known": w.is_known, "weight": float(o)}
                for w, o in zip(self.words, self.overall, strict=True)
            ],
            "hops": self.weights.tolist(),
            "read_to": self.read_to,
            "warning": self.warning,
            "verdict": self.verdict,
        }

    def to_html(self) -> str:
        """Return one page that needs nothing else."""
        from heedful.show.page import page

        return page([self])

    def _repr_html_(self) -> str:
        from heedful.show.page import fragment

        return fragment(self)

    def __str__(self) -> str:
        from heedful.show.terminal import plain

        return plain(self)
