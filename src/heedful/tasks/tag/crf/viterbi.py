"""Viterbi decoding: the label sequence with the highest total score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def viterbi(scores: NDArray[np.float32], transitions: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the label sequence (time,) with the highest sum of scores (time, label) and transition scores.

    `transitions[i, j]` is the score of label j after label i; the last row is for BOS, the last column for EOS.
    """
    if not len(scores):
        return np.zeros(0, dtype=np.int64)
    between, begin, end = transitions[:-1, :-1], transitions[-1, :-1], transitions[:-1, -1]
    total = begin + scores[0]  # (label,): of the best path so far that ends in this label
    back = np.zeros(scores.shape, dtype=np.int64)  # the previous label on that path
    for t in range(1, len(scores)):
        onward = total[:, None] + between  # (label before, label)
        back[t] = onward.argmax(axis=0)
        total = onward.max(axis=0) + scores[t]
    path = np.zeros(len(scores), dtype=np.int64)
    path[-1] = int((total + end).argmax())
    for t in range(len(scores) - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return path


def path_transitions(path: NDArray[np.int64], transitions: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the score of each transition on a path (time,): BOS to the first label, and at the last also to EOS.

    With the scores of the labels they add up to the score of the path.
    """
    if not len(path):
        return np.zeros(0)
    before = np.concatenate([[len(transitions) - 1], path[:-1]])
    steps = transitions[before, path].astype(np.float64)
    steps[-1] += float(transitions[path[-1], -1])
    return np.asarray(steps)
