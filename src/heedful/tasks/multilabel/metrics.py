"""Figures of many yes-or-no labels, of which some are unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.metrics.correlation import roc_auc

UNKNOWN = -1


@dataclass(frozen=True)
class LabelFigures:
    """Figures of one label, over the examples for which it is known."""

    label: str
    roc_auc: float  # NaN where all known answers are the same
    accuracy: float
    n_yes: int
    n: int


@dataclass(frozen=True)
class ManyFigures:
    """Figures of all labels."""

    roc_auc: float  # mean over the labels that have both answers
    accuracy: float  # over all known answers
    loss: float
    n: int  # examples
    labels: tuple[LabelFigures, ...]

    @property
    def sentence(self) -> str:
        """The figures in a line, and one for each label."""
        lines = [f"ROC-AUC {self.roc_auc:.3f}   accuracy {self.accuracy:.3f}   {self.n:,} examples"]
        width = max(len(one.label) for one in self.labels)
        lines += [
            f"  {one.label:<{width}}  ROC-AUC {one.roc_auc:.3f}   {one.n_yes:,} yes of {one.n:,} known"
            for one in self.labels
        ]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        tree = asdict(self)
        for one in tree["labels"]:
            one["roc_auc"] = None if np.isnan(one["roc_auc"]) else one["roc_auc"]
        return tree


def truth_of(answers: Sequence[Sequence[str]]) -> NDArray[np.int8]:
    """Return "1", "0" and "" as 1, 0 and UNKNOWN: (example, label)."""
    return np.array([[int(cell) if cell else UNKNOWN for cell in row] for row in answers], dtype=np.int8)


def many_figures(truth: NDArray[np.int8], found: NDArray[np.float64], labels: Sequence[str]) -> ManyFigures:
    """Compare probabilities (example, label) with the truth, where it is known."""
    known = truth != UNKNOWN
    each = tuple(_label_figures(truth[:, i], found[:, i], label) for i, label in enumerate(labels))
    areas = [one.roc_auc for one in each if not np.isnan(one.roc_auc)]
    sure = np.clip(np.where(truth == 1, found, 1.0 - found)[known], 1e-12, 1.0)
    return ManyFigures(
        roc_auc=float(np.mean(areas)) if areas else 0.5,
        accuracy=float((sure > 0.5).mean()) if len(sure) else 0.0,
        loss=float(-np.log(sure).mean()) if len(sure) else 0.0,
        n=len(truth),
        labels=each,
    )


def _label_figures(truth: NDArray[np.int8], found: NDArray[np.float64], label: str) -> LabelFigures:
    known = truth != UNKNOWN
    yes, p = truth[known] == 1, found[known]
    right = float(((p > 0.5) == yes).mean()) if len(yes) else 0.0
    return LabelFigures(label, roc_auc(yes, p), right, int(yes.sum()), len(yes))
