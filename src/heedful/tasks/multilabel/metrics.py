"""Metrics of multilabel classification, where some labels may be unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.metrics.correlation import roc_auc
from heedful.metrics.printed import MetricsTable, PrintedMetrics

UNKNOWN = -1


@dataclass(frozen=True)
class LabelMetrics:
    """Metrics of one label, over the examples for which it is known."""

    label: str
    roc_auc: float  # NaN if all known answers are the same
    accuracy: float
    n_yes: int
    n: int


@dataclass(frozen=True, repr=False)
class MultilabelMetrics(PrintedMetrics):
    """Metrics of a multilabel classifier. Printed, they are a table.

    Attributes:
        roc_auc: mean over the labels that have both answers.
        accuracy: over all known answers.
        loss: mean negative log-likelihood.
        n: number of examples.
        labels: metrics of each label.

    Example:
        >>> multilabel.evaluate("topics.csv").accuracy
        1.0
    """

    roc_auc: float
    accuracy: float
    loss: float
    n: int
    labels: tuple[LabelMetrics, ...]

    @property
    def sentence(self) -> str:
        """The metrics on one line, and a line for each label."""
        lines = [self._headline]
        width = max(len(label.label) for label in self.labels)
        lines += [
            f"  {label.label:<{width}}  ROC-AUC {label.roc_auc:.3f}   {label.n_yes:,} yes of {label.n:,} known"
            for label in self.labels
        ]
        return "\n".join(lines)

    @property
    def _headline(self) -> str:
        return f"ROC-AUC {self.roc_auc:.3f}   accuracy {self.accuracy:.3f}   {self.n:,} examples"

    @property
    def table(self) -> MetricsTable:
        """The metrics as text, with a row for each label."""
        rows = [
            (each.label, f"{each.roc_auc:.3f}", f"{each.accuracy:.3f}", f"{each.n_yes:,}", f"{each.n:,}")
            for each in self.labels
        ]
        return MetricsTable(self._headline, ("label", "ROC-AUC", "accuracy", "yes", "known"), tuple(rows))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON.

        Returns:
            All fields; None for a ROC-AUC that is not defined.

        Example:
            >>> multilabel.evaluate("topics.csv").to_dict()["n"]
            2
        """
        tree = asdict(self)
        for label in tree["labels"]:
            label["roc_auc"] = None if np.isnan(label["roc_auc"]) else label["roc_auc"]
        return tree


def truth_of(answers: Sequence[Sequence[str]]) -> NDArray[np.int8]:
    """Return "1", "0" and "" as 1, 0 and UNKNOWN: (example, label)."""
    return np.array([[int(cell) if cell else UNKNOWN for cell in row] for row in answers], dtype=np.int8)


def multilabel_metrics(
    truth: NDArray[np.int8], probabilities: NDArray[np.float64], labels: Sequence[str]
) -> MultilabelMetrics:
    """Compare probabilities (example, label) with the known labels."""
    known = truth != UNKNOWN
    per_label = tuple(_label_figures(truth[:, i], probabilities[:, i], label) for i, label in enumerate(labels))
    areas = [label_metrics.roc_auc for label_metrics in per_label if not np.isnan(label_metrics.roc_auc)]
    sure = np.clip(np.where(truth == 1, probabilities, 1.0 - probabilities)[known], 1e-12, 1.0)
    return MultilabelMetrics(
        roc_auc=float(np.mean(areas)) if areas else 0.5,
        accuracy=float((sure > 0.5).mean()) if len(sure) else 0.0,
        loss=float(-np.log(sure).mean()) if len(sure) else 0.0,
        n=len(truth),
        labels=per_label,
    )


def _label_figures(truth: NDArray[np.int8], probabilities: NDArray[np.float64], label: str) -> LabelMetrics:
    known = truth != UNKNOWN
    yes, p = truth[known] == 1, probabilities[known]
    right = float(((p > 0.5) == yes).mean()) if len(yes) else 0.0
    return LabelMetrics(label, roc_auc(yes, p), right, int(yes.sum()), len(yes))
