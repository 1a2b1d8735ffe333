"""Ranking by words, by meaning, or by both: a score is the weighted sum of two parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from heedful.errors import HeedfulError, did_you_mean

By = Literal["words", "meaning", "both"]
BY: tuple[By, ...] = get_args(By)
# The part of words in a score by both, chosen on vaswani, cisi and cranfield in turns: docs/decisions/0025.
WORDS = 0.7


@dataclass(frozen=True)
class Mix:
    """How much words and meaning weigh."""

    words: float
    meaning: float


MIXES: Mapping[str, Mix] = {"words": Mix(1.0, 0.0), "meaning": Mix(0.0, 1.0), "both": Mix(WORDS, 1 - WORDS)}


def checked_by(by: str) -> By:
    """Return `by`, or raise if it is not a way to rank."""
    for known in BY:
        if by == known:
            return known
    raise HeedfulError(f"by is {by!r:.60}, expected one of {', '.join(BY)}.{did_you_mean(str(by), BY)}")
