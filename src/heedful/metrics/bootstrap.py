"""Bootstrap confidence intervals of a mean."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

DRAWS = 2_000
INSIDE = 0.95


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % confidence interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def interval(values: ArrayLike, *, seed: int = 0) -> Interval:
    """Return the mean with a percentile bootstrap interval."""
    sample = np.asarray(values, dtype=np.float64)
    if not len(sample):
        return Interval(float("nan"), float("nan"), float("nan"))
    means = _means(sample, np.random.default_rng(seed))
    low, high = np.quantile(means, [(1 - INSIDE) / 2, (1 + INSIDE) / 2])
    return Interval(float(sample.mean()), float(low), float(high))


def ratio_interval(above: ArrayLike, below: ArrayLike, *, seed: int = 0) -> Interval:
    """Return the ratio of the means of paired values with a percentile bootstrap interval."""
    pairs = np.stack([np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64)], axis=1)
    if not len(pairs):
        return Interval(float("nan"), float("nan"), float("nan"))
    rng = np.random.default_rng(seed)
    means = np.array([pairs[rng.integers(0, len(pairs), len(pairs))].mean(axis=0) for _ in range(DRAWS)])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = means[:, 0] / means[:, 1]
        mean = pairs[:, 0].mean() / pairs[:, 1].mean()
    low, high = np.quantile(ratios, [(1 - INSIDE) / 2, (1 + INSIDE) / 2])
    return Interval(float(mean), float(low), float(high))


def _means(values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Return the mean of each draw, in chunks to bound memory."""
    step = max(1, 1_000_000 // len(values))
    rounds = [min(step, DRAWS - start) for start in range(0, DRAWS, step)]
    return np.concatenate([values[rng.integers(0, len(values), (n, len(values)))].mean(axis=1) for n in rounds])
