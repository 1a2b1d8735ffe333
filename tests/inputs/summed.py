"""Explanations whose scores are sums, and the numbers of such a sum as a picture shows them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from heedful.explain.attention.explanation import Explanation


def with_sum(explanation: Explanation, values: Sequence[float], *, bias: float = -0.5) -> Explanation:
    """Return an explanation with contributions to its target; those to other labels are the opposite."""
    signs = np.array([1.0 if label == explanation.target else -1.0 for label in explanation.labels])
    contributions = np.asarray(values, dtype=np.float64)[:, None] * signs
    biases = bias * signs
    scores = biases + contributions.sum(axis=0)
    return replace(explanation, contributions=contributions, bias=biases, scores=scores)


def drawn_sum(text: str, unit: str) -> tuple[float, float, float]:
    """Return score, bias and the sum over all parts from the text of a picture, where a minus is a dash."""
    match = re.search(rf"(?:score|dose) (\S+) = bias (\S+) \+ {unit} (\S+)", text)
    assert match, text
    score, bias, added = (float(part.replace("–", "-")) for part in match.groups())
    return score, bias, added
