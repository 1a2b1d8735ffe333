"""A seeded stratified split."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def stratified_split(labels: Sequence[str], share: float, *, seed: int) -> tuple[list[int], list[int]]:
    """Return (training, validation) positions. A label with two or more examples is on both sides."""
    rng = np.random.default_rng([seed, 0x5B117])
    by_label: dict[str, list[int]] = {}
    for i, label in enumerate(labels):
        by_label.setdefault(label, []).append(i)
    held: list[int] = []
    for label in sorted(by_label):
        positions = rng.permutation(by_label[label])
        if len(positions) > 1:
            held += positions[: min(len(positions) - 1, max(1, round(share * len(positions))))].tolist()
    kept = sorted(set(range(len(labels))) - set(held))
    return kept, sorted(held)
