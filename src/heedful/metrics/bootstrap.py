"""How sure a mean is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

DRAWS = 2_000
INSIDE = 0.95


@dataclass(frozen=True)
class Interval:
    """A mean, and between what values 95 % of the means of other samples would lie."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def interval(values: ArrayLike, *, seed: int = 0) -> Interval:
    """Return the mean with a bootstrap interval (percentiles of the means of samples drawn with replacement)."""
    found = np.asarray(values, dtype=np.float64)
    if not len(found):
        return Interval(float("nan"), float("nan"), float("nan"))
    means = _means(found, np.random.default_rng(seed))
    low, high = np.quantile(means, [(1 - INSIDE) / 2, (1 + INSIDE) / 2])
    return Interval(float(found.mean()), float(low), float(high))


def _means(values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Return the mean of each draw, a few draws at a time: memory does not grow with both."""
    step = max(1, 1_000_000 // len(values))
    rounds = [min(step, DRAWS - start) for start in range(0, DRAWS, step)]
    return np.concatenate([values[rng.integers(0, len(values), (n, len(values)))].mean(axis=1) for n in rounds])
