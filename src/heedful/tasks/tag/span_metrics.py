"""Metrics of labelled spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from heedful.tasks.tag.spans import spans


@dataclass(frozen=True)
class KindMetrics:
    """Metrics of the spans of one kind; `support` is the number of true spans."""

    kind: str
    precision: float
    recall: float
    f1: float
    support: int

    @property
    def sentence(self) -> str:
        """The metrics on one line."""
        rates = f"F1 {self.f1:.3f}   precision {self.precision:.3f}   recall {self.recall:.3f}"
        return f"{rates}   {self.support:,} spans"


@dataclass(frozen=True)
class SpanMetrics:
    """Metrics of a span tagger: a span is correct if its kind and both ends are."""

    accuracy: float  # share of tokens with the right label
    precision: float
    recall: float
    f1: float
    kinds: tuple[KindMetrics, ...]
    n_spans: int
    n_answered: int
    n_tokens: int

    @property
    def sentence(self) -> str:
        """The metrics on one line, and a line for each kind."""
        wide = max((len(kind.kind) for kind in self.kinds), default=0)
        rates = f"F1 {self.f1:.4f}   precision {self.precision:.4f}   recall {self.recall:.4f}"
        first = f"{rates}   accuracy {self.accuracy:.4f}   {self.n_spans:,} spans in {self.n_tokens:,} tokens"
        return "\n".join([first, *(f"  {kind.kind:<{wide}}  {kind.sentence}" for kind in self.kinds)])

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


def span_metrics(truths: Sequence[Sequence[str]], answers: Sequence[Sequence[str]]) -> SpanMetrics:
    """Compare the labels of texts; totals over all kinds are micro averages."""
    actual: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    right: Counter[str] = Counter()
    n_right = n_tokens = 0
    for truth, answer in zip(truths, answers, strict=True):
        n_right += sum(a == b for a, b in zip(truth, answer, strict=True))
        n_tokens += len(truth)
        expected, predicted = set(spans(truth)), set(spans(answer))
        actual.update(span.kind for span in expected)
        answered.update(span.kind for span in predicted)
        right.update(span.kind for span in expected & predicted)
    kinds = sorted(actual | answered)
    return SpanMetrics(
        n_right / max(1, n_tokens),
        *_rates(right.total(), answered.total(), actual.total()),
        tuple(KindMetrics(k, *_rates(right[k], answered[k], actual[k]), actual[k]) for k in kinds),
        actual.total(),
        answered.total(),
        n_tokens,
    )


def _rates(right: int, answered: int, actual: int) -> tuple[float, float, float]:
    """Return precision, recall and F1; 0 if the denominator is 0."""
    return right / max(1, answered), right / max(1, actual), 2 * right / max(1, answered + actual)
