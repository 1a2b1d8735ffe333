"""Confident learning: which labels are probably wrong, by the probabilities of a model that has not seen them.

After Northcutt, Jiang and Chuang 2021. A label is believed from a threshold of its own: the mean probability that the
texts with this label have for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Probabilities = NDArray[np.float64]
Ints = NDArray[np.int64]
PRIOR = 30.0  # larger: a wrong label may be any other one; smaller: it is one that is often confused with the given one
TINY = 1e-9


@dataclass(frozen=True)
class Confidence:
    """What confident learning says of each text."""

    suggested: Ints  # (text,) the label with the largest probability other than the given one
    rank: Probabilities  # (text,) larger is worse
    is_suspect: NDArray[np.bool_]  # (text,)
    joint: Ints  # (label, label) texts with a given label that confidently have another, or the same


def confident_learning(
    probabilities: Probabilities, truth: Ints, *, judged: NDArray[np.bool_] | None = None
) -> Confidence:
    """Return which of the given labels are probably wrong; only texts that are `judged` can be suspects."""
    n, n_labels = probabilities.shape
    every = np.arange(n)
    own = probabilities[every, truth]
    others = probabilities.copy()
    others[every, truth] = -1.0
    suggested = others.argmax(axis=1)
    counts = np.bincount(truth, minlength=n_labels)
    thresholds = np.bincount(truth, weights=own, minlength=n_labels) / np.maximum(counts, 1)
    thresholds[counts == 0] = 2.0  # a label of no text is never believed
    confident = np.where(probabilities >= thresholds - 1e-9, probabilities, -1.0)
    best = confident.argmax(axis=1)
    has_any = confident[every, best] >= 0
    joint = np.zeros((n_labels, n_labels), dtype=np.int64)
    np.add.at(joint, (truth[has_any], best[has_any]), 1)
    is_suspect = has_any & (best != truth) & (probabilities[every, best] > own)
    if judged is not None:
        is_suspect &= judged
    return Confidence(suggested, rank_of(probabilities, truth, joint), is_suspect, joint)


def rank_of(probabilities: Probabilities, truth: Ints, joint: Ints) -> Probabilities:
    """Return how suspicious each label is: the log odds that another label is right; larger is worse.

    A label counts more if it is often confused with the given one: by labels / PRIOR for each time that their pair is
    as frequent in the joint as it would be by chance. With many labels, confusions are of few pairs, and tell more.
    """
    n, n_labels = probabilities.shape
    given = np.bincount(truth, minlength=n_labels).astype(np.float64)
    expected = np.outer(given, given) / n
    lift = np.divide(joint, expected, out=np.zeros(joint.shape), where=expected > 0)
    others = probabilities * (1 + lift[truth] * n_labels / PRIOR)
    every = np.arange(n)
    others[every, truth] = 0.0
    odds: Probabilities = np.log(others.sum(axis=1) + TINY) - np.log(probabilities[every, truth] + TINY)
    return odds


def expected_errors(confidence: Confidence, truth: Ints) -> float:
    """Return the estimated number of wrong labels: the confident joint, scaled to the number of texts of each label."""
    counts = np.bincount(truth, minlength=len(confidence.joint))
    known = confidence.joint.sum(axis=1)
    right = np.divide(np.diag(confidence.joint), known, out=np.ones(len(known)), where=known > 0)
    return float((counts * (1 - right)).sum())
