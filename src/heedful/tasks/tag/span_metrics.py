"""Metrics of labelled spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from heedful.metrics.printed import MetricsTable, PrintedMetrics
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


@dataclass(frozen=True, repr=False)
class SpanMetrics(PrintedMetrics):
    """Metrics of a span tagger: a span is correct if its kind and both ends are. Printed, they are a table.

    Attributes:
        accuracy: share of tokens with the right label.
        precision: share of the predicted spans that are true.
        recall: share of the true spans that are predicted.
        f1: their harmonic mean.
        kinds: metrics of each kind of span.
        n_spans: number of true spans.
        n_answered: number of predicted spans.
        n_tokens: number of tokens.

    Example:
        >>> tagger.evaluate("tags.conll").n_spans
        4
    """

    accuracy: float
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
        return "\n".join([self._headline, *(f"  {kind.kind:<{wide}}  {kind.sentence}" for kind in self.kinds)])

    @property
    def _headline(self) -> str:
        rates = f"F1 {self.f1:.4f}   precision {self.precision:.4f}   recall {self.recall:.4f}"
        return f"{rates}   accuracy {self.accuracy:.4f}   {self.n_spans:,} spans in {self.n_tokens:,} tokens"

    @property
    def table(self) -> MetricsTable:
        """The metrics as text, with a row for each kind of span."""
        rows = [
            (kind.kind, f"{kind.precision:.3f}", f"{kind.recall:.3f}", f"{kind.f1:.3f}", f"{kind.support:,}")
            for kind in self.kinds
        ]
        return MetricsTable(self._headline, ("kind", "precision", "recall", "F1", "spans"), tuple(rows))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON.

        Returns:
            All fields.

        Example:
            >>> tagger.evaluate("tags.conll").to_dict()["n_spans"]
            4
        """
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
