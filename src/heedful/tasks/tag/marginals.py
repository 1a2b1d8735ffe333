"""How probable each label is at each place, by the scores of each and of each step from one to the next."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


def marginals(scores: NDArray[np.float32], steps: NDArray[np.float32]) -> Values:
    """Return the probabilities (time, label) of a text: sums over all rows of labels that have this label here.

    `scores` are (time, label), `steps` as for `viterbi`. Each place sums to 1.
    """
    if not len(scores):
        return np.zeros(scores.shape)
    values, all_steps = scores.astype(np.float64), steps.astype(np.float64)
    between, begin, end = all_steps[:-1, :-1], all_steps[-1, :-1], all_steps[:-1, -1]
    before, after = np.zeros_like(values), np.zeros_like(values)  # of all rows that come here, and that go on from here
    before[0], after[-1] = begin + values[0], end
    for t in range(1, len(values)):
        before[t] = log_sum(before[t - 1][:, None] + between, axis=0) + values[t]
        after[-1 - t] = log_sum(between + (values[-t] + after[-t])[None, :], axis=1)
    together = before + after
    return np.asarray(np.exp(together - log_sum(together, axis=1)[:, None]))


def log_sum(values: Values, *, axis: int) -> Values:
    """Return log Σ exp along an axis, without overflow."""
    most = values.max(axis=axis, keepdims=True)
    return np.asarray(np.squeeze(most, axis) + np.log(np.exp(values - most).sum(axis=axis)))
