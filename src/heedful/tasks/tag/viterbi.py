"""The best row of labels, by the scores of each and of each step from one to the next."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def viterbi(scores: NDArray[np.float32], steps: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the labels (time,) of a text with the greatest sum of scores (time, label) and steps between them.

    `steps[i, j]` is the score of label j after label i; the last row is for what begins, the last column for what ends.
    """
    if not len(scores):
        return np.zeros(0, dtype=np.int64)
    between, begin, end = steps[:-1, :-1], steps[-1, :-1], steps[:-1, -1]
    total = begin + scores[0]  # (label,): of the best row so far that ends in this label
    back = np.zeros(scores.shape, dtype=np.int64)  # the label before, in that row
    for t in range(1, len(scores)):
        onward = total[:, None] + between  # (label before, label)
        back[t] = onward.argmax(axis=0)
        total = onward.max(axis=0) + scores[t]
    path = np.zeros(len(scores), dtype=np.int64)
    path[-1] = int((total + end).argmax())
    for t in range(len(scores) - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return path
