"""What more data would bring: accuracy on parts of the data, and a power law through it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

AHEAD = (2.0, 4.0)  # times as many rows
DRAWS = 400
INSIDE = 0.95
SAME = 1.2  # times as many rows: a larger step is another point
_POWERS = np.linspace(0.05, 1.5, 30)
_FLOORS = np.linspace(0.0, 1.0, 26)  # of the smallest error that was measured
Values = NDArray[np.float64]


@dataclass(frozen=True)
class CurvePoint:
    """Accuracy after learning from so many rows, with a 95 % interval."""

    n: int
    accuracy: float
    low: float
    high: float


@dataclass(frozen=True)
class LearningCurve:
    """Accuracy on held-out rows: measured for parts of the data, and expected for more of it."""

    points: tuple[CurvePoint, ...]
    ahead: tuple[CurvePoint, ...]


def learning_curve(
    n: Sequence[int], accuracy: Sequence[float], n_held: Sequence[int], *, seed: int = 0
) -> LearningCurve:
    """Return the curve of measurements: rows learned from, accuracy, and rows that it was measured on.

    The interval of an expectation is that of 400 curves through measurements that are redrawn within their own error,
    widened by half of the expected change: a curve that flattens sooner than its past says must lie within it.
    """
    sizes, values, held = np.array(n, dtype=np.float64), np.array(accuracy), np.array(n_held, dtype=np.float64)
    places = _places(sizes)
    points = [_point(sizes[places == i], values[places == i], held[places == i]) for i in range(places.max() + 1)]
    largest = max(point.n for point in points)
    rng = np.random.default_rng([seed, 0xC0])
    x = np.array([point.n for point in points], dtype=np.float64)
    y = np.array([1 - point.accuracy for point in points])
    spread = np.array([max((point.high - point.low) / 3.92, 1e-4) for point in points])
    wanted = np.array([largest * times for times in AHEAD])
    if len(points) < 3:
        return LearningCurve(tuple(points), ())
    middle = _fitted(x, y, spread, wanted)
    draws = np.array([_fitted(x, np.clip(y + rng.normal(0, spread), 0, 1), spread, wanted) for _ in range(DRAWS)])
    low, high = np.quantile(draws, [(1 - INSIDE) / 2, (1 + INSIDE) / 2], axis=0)
    doubt = np.abs(middle - y[-1]) / 2
    ahead = [
        CurvePoint(round(size), *map(float, (1 - error, max(0.0, 1 - most - more), min(1.0, 1 - least + more))))
        for size, error, least, most, more in zip(wanted, middle, low, high, doubt, strict=True)
    ]
    return LearningCurve(tuple(points), tuple(ahead))


def _places(sizes: Values) -> NDArray[np.int64]:
    """Return which point each size belongs to: folds are not quite equally large."""
    order = np.argsort(sizes, kind="stable")
    is_new = np.zeros(len(sizes), dtype=np.bool_)
    is_new[1:] = sizes[order][1:] > SAME * sizes[order][:-1]
    places = np.zeros(len(sizes), dtype=np.int64)
    places[order] = np.cumsum(is_new)
    return places


def _point(sizes: Values, values: Values, held: Values) -> CurvePoint:
    """Return the mean of measurements, with the larger of their spread and the error of counting."""
    mean = float(values.mean())
    of_counting = np.sqrt(max(mean * (1 - mean), 1e-4) / held.sum())
    between = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    error = 1.96 * float(max(of_counting, between))
    return CurvePoint(round(float(sizes.mean())), mean, max(0.0, mean - error), min(1.0, mean + error))


def _fitted(x: Values, y: Values, spread: Values, wanted: Values) -> Values:
    """Return the errors at the wanted sizes of the best curve a + b · n^-c with a, b ≥ 0, by weighted least squares."""
    floors = _FLOORS[:, None, None] * y.min()
    powers = (x / x.max()) ** -_POWERS[None, :, None]  # (1, power, point)
    weights = 1 / spread**2
    above = y - floors
    slope = np.maximum((weights * above * powers).sum(axis=2) / (weights * powers**2).sum(axis=2), 0.0)
    loss = (weights * (above - slope[:, :, None] * powers) ** 2).sum(axis=2)
    i, j = np.unravel_index(int(loss.argmin()), loss.shape)
    errors: Values = _FLOORS[i] * y.min() + slope[i, j] * (wanted / x.max()) ** -_POWERS[j]
    return errors
