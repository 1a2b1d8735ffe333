"""The two texts of each pair: all first texts of a batch come before all second texts."""

from __future__ import annotations

from torch import Tensor


def sides(rows: Tensor) -> tuple[Tensor, Tensor]:
    """Return the first half and the second half of a batch of pairs."""
    if len(rows) % 2:
        raise ValueError(f"found rows of {len(rows)} texts, expected an even number: firsts, then seconds")
    half = len(rows) // 2
    return rows[:half], rows[half:]
