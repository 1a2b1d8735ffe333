"""Metrics of multilabel classification, where some labels may be unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.metrics.correlation import roc_auc

UNKNOWN = -1


@dataclass(frozen=True)
class LabelMetrics:
    """Metrics of one label, over the examples for which it is known."""

    label: str
    roc_auc: float  # NaN if all known answers are the same
    accuracy: float
    n_yes: int
    n: int


@dataclass(frozen=True)
class MultilabelMetrics:
    """Metrics of all labels."""

    roc_auc: float  # mean over the labels that have both answers
    accuracy: float  # over all known answers
    loss: float
    n: int  # examples
    labels: tuple[LabelMetrics, ...]

    @property
    def sentence(self) -> str:
        """The metrics on one line, and a line for each label."""
        lines = [f"ROC-AUC {self.roc_auc:.3f}   accuracy {self.accuracy:.3f}   {self.n:,} examples"]
        width = max(len(label.label) for label in self.labels)
        lines += [
            f"  {label.label:<{width}}  ROC-AUC {label.roc_auc:.3f}   {label.n_yes:,} yes of {label.n:,} known"
            for label in self.labels
        ]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
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
