"""How dark a word is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

EVEN = 3.0  # a word is as dark as can be when it has this many times its even share, or the largest weight above that


def relative(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return shades from 0 to 1: the largest weight is darkest, unless all are much alike.

    Scaled by the largest alone, weights that are all equal would look like strong attention to every word.
    """
    darkest = max(float(weights.max(initial=0.0)), min(1.0, EVEN / max(1, len(weights))))
    return np.asarray(weights / darkest, dtype=np.float32)
