"""A seeded split in which every label keeps its share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def stratified_split(labels: Sequence[str], share: float, *, seed: int) -> tuple[list[int], list[int]]:
    """Return (kept, held back) positions. Each label with two or more examples has at least one on either side."""
    rng = np.random.default_rng([seed, 0x5B117])
    places: dict[str, list[int]] = {}
    for i, label in enumerate(labels):
        places.setdefault(label, []).append(i)
    held: list[int] = []
    for label in sorted(places):
        positions = rng.permutation(places[label])
        if len(positions) > 1:
            held += positions[: min(len(positions) - 1, max(1, round(share * len(positions))))].tolist()
    kept = sorted(set(range(len(labels))) - set(held))
    return kept, sorted(held)
