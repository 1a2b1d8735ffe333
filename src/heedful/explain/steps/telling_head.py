"""The head to begin with: the one that looks furthest past the neighbours of a word."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def telling_head(looks: NDArray[np.float64], at: int, is_special: NDArray[np.bool_]) -> tuple[int, int]:
    """Return the layer and the head, from 0, in which a token looks most at an earlier one that is not its neighbour.

    `looks` (layer, head, token) are the weights of the token `at`. Special
    tokens do not count; a token with nothing before it looks at later ones.
    """
    apart = np.arange(looks.shape[-1]) - at
    for candidates in (apart < -1, np.abs(apart) > 1, apart != 0):
        if (candidates & ~is_special).any():
            best = np.where(candidates & ~is_special, looks, -1.0).max(axis=-1)
            layer, head = np.unravel_index(int(best.argmax()), best.shape)
            return int(layer), int(head)
    return 0, 0
