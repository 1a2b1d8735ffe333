"""Agreement of two orders."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def spearman(first: ArrayLike, second: ArrayLike) -> float:
    """Return Spearman's rank correlation, ties sharing their mean rank; 0 where one side is all equal."""
    a, b = (_ranks(np.asarray(side, dtype=np.float64)) for side in (first, second))
    a, b = a - a.mean(), b - b.mean()
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 0 else 0.0


def kendall(first: ArrayLike, second: ArrayLike) -> float:
    """Return Kendall's τ-b: pairs in the same order minus pairs in the other, ties allowed for; 0 for all equal."""
    a, b = (np.asarray(side, dtype=np.float64) for side in (first, second))
    agreed = ordered_a = ordered_b = 0.0
    for i in range(1, len(a)):  # one row at a time: memory does not grow with the square
        side_a, side_b = np.sign(a[i] - a[:i]), np.sign(b[i] - b[:i])
        agreed += float(side_a @ side_b)
        ordered_a += float(np.abs(side_a).sum())
        ordered_b += float(np.abs(side_b).sum())
    size = float(np.sqrt(ordered_a * ordered_b))
    return agreed / size if size > 0 else 0.0


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2.0)[place])
