"""Scores as probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def softmax(scores: NDArray[Any]) -> NDArray[Any]:
    """Return exp(scores), scaled to sum to 1 in each row, in the type of the scores."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), dtype=scores.dtype)


def sigmoid(scores: NDArray[Any]) -> NDArray[Any]:
    """Return 1 / (1 + exp(−scores)), in the type of the scores."""
    return np.asarray(1.0 / (1.0 + np.exp(-scores.astype(np.float64))), dtype=scores.dtype)
