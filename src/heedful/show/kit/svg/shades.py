"""How dark a word or a cell is: one scale for terminal, page and picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

EVEN = 3.0  # a word is as dark as can be when it has this many times its even share, or the largest weight above that
FAINT = 0.08  # of the darkest: a lighter shade cannot be seen, and is not drawn
STRONG = 0.6  # of the darkest: the tab key stops at cells as dark as this


def relative(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return shades from 0 to 1: the largest weight is darkest, unless all are much alike.

    Scaled by the largest alone, weights that are all equal would look like strong attention to every word.
    """
    return np.asarray(weights / darkest(float(weights.max(initial=0.0)), len(weights)), dtype=np.float32)


def darkest(largest: float, n: int) -> float:
    """Return the weight that is drawn darkest, of n weights."""
    return max(largest, min(1.0, EVEN / max(1, n)))


def signed(effects: NDArray[np.float64], *, least: float) -> NDArray[np.float32]:
    """Return shades from -1 to 1: the largest effect is darkest, unless all are smaller than `least`."""
    return np.asarray(effects / max(float(np.abs(effects).max(initial=0.0)), least), dtype=np.float32)


def as_given(values: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return shades from -1 to 1 of numbers on any scale, each as its share of the sum of all sizes."""
    size = np.abs(values).reshape(-1)
    largest = max(float(size.max(initial=0.0)), np.finfo(np.float64).tiny)
    shares = size / largest  # first, so that the sum of huge numbers stays finite
    shades = relative((shares / max(float(shares.sum()), 1e-12)).astype(np.float32))
    return np.asarray(shades.reshape(values.shape) * np.sign(values), dtype=np.float32)
