"""Case augmentation: tagged sentences repeated in lower case, capitalised or in upper case."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from heedful.data.example import Example

# Mostly lower case: a guess at how people write. The shares were not tuned.
CASES: tuple[tuple[Callable[[str], str], float], ...] = ((str.lower, 0.67), (str.capitalize, 0.23), (str.upper, 0.1))


def in_other_case(examples: Sequence[Example], share: float, *, seed: int) -> list[Example]:
    """Return a share of the examples with all tokens in another case and the same tags."""
    rng = np.random.default_rng([seed, 0xCA5E])
    chosen = np.sort(rng.permutation(len(examples))[: round(share * len(examples))])
    cases = rng.choice(len(CASES), size=len(chosen), p=[part for _, part in CASES])
    return [_changed(examples[i], CASES[case][0]) for i, case in zip(chosen, cases, strict=True)]


def _changed(example: Example, change: Callable[[str], str]) -> Example:
    return Example(tuple(change(token) for token in example.text), example.label, example.line)
