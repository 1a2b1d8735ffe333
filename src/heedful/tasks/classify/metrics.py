"""Metrics of single-label classification."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heedful.metrics.correlation import roc_auc
from heedful.metrics.printed import MetricsTable, PrintedMetrics


@dataclass(frozen=True)
class ClassMetrics:
    """Metrics of one label."""

    label: str
    precision: float
    recall: float
    f1: float
    support: int


@dataclass(frozen=True, repr=False)
class ClassificationMetrics(PrintedMetrics):
    """Metrics of a classifier. Printed, they are a table.

    Attributes:
        accuracy: share of right answers.
        macro_f1: mean of the F1 of all labels.
        classes: precision, recall, F1 and support of each label.
        confusion: `confusion[i, j]` counts texts of label i predicted as j.
        n: number of texts.
        roc_auc: for two labels, if their probabilities are known.

    Example:
        >>> metrics = model.evaluate("test.csv")
        >>> metrics.classes[0].label, metrics.confusion.shape
        ('bad', (2, 2))
    """

    accuracy: float
    macro_f1: float
    classes: tuple[ClassMetrics, ...]
    confusion: NDArray[np.int64]
    n: int
    roc_auc: float | None = None
    counts_tokens: ClassVar[bool] = False

    @property
    def sentence(self) -> str:
        """The metrics on one line."""
        area = f"   ROC-AUC {self.roc_auc:.3f}" if self.roc_auc is not None else ""
        return f"accuracy {self.accuracy:.3f}   macro F1 {self.macro_f1:.3f}{area}   {self.n:,} texts"

    @property
    def table(self) -> MetricsTable:
        """The metrics as text, with a row for each label."""
        rows = [
            (c.label, f"{c.precision:.3f}", f"{c.recall:.3f}", f"{c.f1:.3f}", f"{c.support:,}") for c in self.classes
        ]
        unit = "tokens" if self.counts_tokens else "texts"
        return MetricsTable(self.sentence, ("label", "precision", "recall", "F1", unit), tuple(rows))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON.

        Returns:
            All fields.

        Example:
            >>> model.evaluate("test.csv").to_dict()["accuracy"]
            1.0
        """
        return asdict(self) | {"confusion": self.confusion.tolist(), "classes": [asdict(c) for c in self.classes]}


def metrics_of_scores(
    truth: NDArray[np.integer[Any]], scores: NDArray[np.floating], labels: Sequence[str]
) -> ClassificationMetrics:
    """Compare label numbers with scores or probabilities (text, label); for two labels, add ROC-AUC."""
    metrics = classification_metrics(truth, scores.argmax(1), labels)
    if len(labels) != 2:
        return metrics
    area = roc_auc(truth == 1, (scores[:, 1] - scores[:, 0]).astype(np.float64))
    return replace(metrics, roc_auc=None if np.isnan(area) else area)


def classification_metrics(
    truth: NDArray[np.integer[Any]], answer: NDArray[np.integer[Any]], labels: Sequence[str]
) -> ClassificationMetrics:
    """Compare label numbers. A label that is never true nor predicted has F1 0 and is excluded from the macro mean."""
    n_labels = len(labels)
    confusion = (
        np.bincount(truth * n_labels + answer, minlength=n_labels * n_labels)
        .reshape(n_labels, n_labels)
        .astype(np.int64)
    )  # (truth, answer)
    hits = np.diag(confusion).astype(float)
    support, answered = confusion.sum(1), confusion.sum(0)
    precision = _ratio(hits, answered)
    recall = _ratio(hits, support)
    f1 = _ratio(2 * hits, support + answered)
    present = (support + answered) > 0
    return ClassificationMetrics(
        accuracy=float(hits.sum() / max(1, confusion.sum())),
        macro_f1=float(f1[present].mean()) if present.any() else 0.0,
        classes=tuple(
            ClassMetrics(label, float(precision[i]), float(recall[i]), float(f1[i]), int(support[i]))
            for i, label in enumerate(labels)
        ),
        confusion=confusion,
        n=int(confusion.sum()),
    )


def _ratio(numerator: NDArray[Any], denominator: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(
        np.divide(numerator, denominator, out=np.zeros(len(numerator)), where=denominator > 0), dtype=np.float64
    )
