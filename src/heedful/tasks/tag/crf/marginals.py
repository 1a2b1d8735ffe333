"""Marginal probabilities of labels in a CRF, by the forward-backward algorithm."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


def marginals(scores: NDArray[np.float32], transitions: NDArray[np.float32]) -> Values:
    """Return the marginal probability of each label at each position (time, label).

    `scores` are (time, label), `transitions` as for `viterbi`. Each position sums to 1.
    """
    if not len(scores):
        return np.zeros(scores.shape)
    values, all_transitions = scores.astype(np.float64), transitions.astype(np.float64)
    between, begin, end = all_transitions[:-1, :-1], all_transitions[-1, :-1], all_transitions[:-1, -1]
    before, after = np.zeros_like(values), np.zeros_like(values)  # log sums of all paths to and from a label
    before[0], after[-1] = begin + values[0], end
    for t in range(1, len(values)):
        before[t] = log_sum(before[t - 1][:, None] + between, axis=0) + values[t]
        after[-1 - t] = log_sum(between + (values[-t] + after[-t])[None, :], axis=1)
    together = before + after
    return np.asarray(np.exp(together - log_sum(together, axis=1)[:, None]))


def log_sum(values: Values, *, axis: int) -> Values:
    """Return log Σ exp along an axis, without overflow."""
    maximum = values.max(axis=axis, keepdims=True)
    return np.asarray(np.squeeze(maximum, axis) + np.log(np.exp(values - maximum).sum(axis=axis)))
