"""Correlation coefficients, and ROC-AUC."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def spearman(first: ArrayLike, second: ArrayLike) -> float:
    """Return Spearman's rank correlation, with mean ranks for ties; 0 if either side is constant."""
    return pearson(*(mean_ranks(np.asarray(side, dtype=np.float64)) for side in (first, second)))


def pearson(first: ArrayLike, second: ArrayLike) -> float:
    """Return Pearson's correlation; 0 if either side is constant."""
    a, b = (np.asarray(side, dtype=np.float64) for side in (first, second))
    a, b = a - a.mean(), b - b.mean()
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 0 else 0.0


def kendall(first: ArrayLike, second: ArrayLike) -> float:
    """Return Kendall's τ-b: concordant minus discordant pairs, corrected for ties; 0 if either side is constant."""
    a, b = (np.asarray(side, dtype=np.float64) for side in (first, second))
    agreed = ordered_a = ordered_b = 0.0
    for i in range(1, len(a)):  # one row at a time: memory does not grow with the square
        side_a, side_b = np.sign(a[i] - a[:i]), np.sign(b[i] - b[:i])
        agreed += float(side_a @ side_b)
        ordered_a += float(np.abs(side_a).sum())
        ordered_b += float(np.abs(side_b).sum())
    size = float(np.sqrt(ordered_a * ordered_b))
    return agreed / size if size > 0 else 0.0


def mean_ranks(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return ranks from 1; ties get their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2.0)[place])


def roc_auc(yes: NDArray[np.bool_], scores: NDArray[np.floating]) -> float:
    """Return the area under the ROC curve, ties counting half; NaN if only one class is present."""
    n_yes, n_no = int(yes.sum()), int((~yes).sum())
    if not n_yes or not n_no:
        return float("nan")
    return float((mean_ranks(scores)[yes].sum() - n_yes * (n_yes + 1) / 2) / (n_yes * n_no))
