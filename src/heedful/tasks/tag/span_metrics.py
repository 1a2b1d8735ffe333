"""Figures for a label on each token, and for the spans that labels mark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from heedful.tasks.tag.spans import spans


@dataclass(frozen=True)
class KindFigures:
    """How the spans of one kind were found; `support` is how many there are."""

    kind: str
    precision: float
    recall: float
    f1: float
    support: int

    @property
    def sentence(self) -> str:
        """The figures in a line."""
        rates = f"F1 {self.f1:.3f}   precision {self.precision:.3f}   recall {self.recall:.3f}"
        return f"{rates}   {self.support:,} spans"


@dataclass(frozen=True)
class SpanFigures:
    """How a tagger of spans did: a span counts only where its kind and both its ends are right."""

    accuracy: float  # share of tokens with the right label
    precision: float
    recall: float
    f1: float
    kinds: tuple[KindFigures, ...]
    n_spans: int
    n_answered: int
    n_tokens: int

    @property
    def sentence(self) -> str:
        """The figures in a line, and a line for each kind."""
        wide = max((len(kind.kind) for kind in self.kinds), default=0)
        rates = f"F1 {self.f1:.4f}   precision {self.precision:.4f}   recall {self.recall:.4f}"
        first = f"{rates}   accuracy {self.accuracy:.4f}   {self.n_spans:,} spans in {self.n_tokens:,} tokens"
        return "\n".join([first, *(f"  {kind.kind:<{wide}}  {kind.sentence}" for kind in self.kinds)])

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


def span_figures(truths: Sequence[Sequence[str]], answers: Sequence[Sequence[str]]) -> SpanFigures:
    """Compare the labels of texts; figures over all kinds count every span alike (micro average)."""
    there: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    right: Counter[str] = Counter()
    n_right = n_tokens = 0
    for truth, answer in zip(truths, answers, strict=True):
        n_right += sum(a == b for a, b in zip(truth, answer, strict=True))
        n_tokens += len(truth)
        known, said = set(spans(truth)), set(spans(answer))
        there.update(span.kind for span in known)
        answered.update(span.kind for span in said)
        right.update(span.kind for span in known & said)
    kinds = sorted(there | answered)
    return SpanFigures(
        n_right / max(1, n_tokens),
        *_rates(right.total(), answered.total(), there.total()),
        tuple(KindFigures(k, *_rates(right[k], answered[k], there[k]), there[k]) for k in kinds),
        there.total(),
        answered.total(),
        n_tokens,
    )


def _rates(right: int, answered: int, there: int) -> tuple[float, float, float]:
    """Return precision, recall and F1; 0 where there is nothing to divide by."""
    return right / max(1, answered), right / max(1, there), 2 * right / max(1, answered + there)
