"""How dark a word is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def relative(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale weights so that the largest is 1."""
    return np.asarray(weights / max(float(weights.max(initial=0.0)), 1e-12), dtype=np.float32)
