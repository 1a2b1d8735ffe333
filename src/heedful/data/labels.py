"""Labels as numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def label_numbers(labels: Sequence[str], known: Sequence[str]) -> NDArray[np.int64]:
    """Return each label's index in `known`, or -1 if it is not there."""
    numbers = {label: i for i, label in enumerate(known)}
    return np.array([numbers.get(label, -1) for label in labels], dtype=np.int64)
