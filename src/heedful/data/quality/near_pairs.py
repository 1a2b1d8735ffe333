"""Pairs of similar rows, by locality-sensitive hashing of their signatures, and the groups that they make up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from heedful.data.quality.shingles import BANDS, ROWS, Signatures, agreement, jaccard, plain_form, shingles

SIMILAR = 0.7  # of the windows of either text: texts that share so many are near duplicates
ROUGHLY = 0.5  # of the numbers of two signatures: pairs below are not compared exactly
MOST_COMPARED = 400_000  # texts that are held in memory to compare them exactly; of more, signatures decide
_MIX = np.uint64(0x94D049BB133111EB)

Rows = NDArray[np.int64]


def candidate_pairs(signatures: Signatures) -> tuple[Rows, Rows, NDArray[np.float64]]:
    """Return pairs of rows that are probably similar, first < second, and estimates of how similar.

    In each band, a row is compared with the one before and with the first that have the same numbers there: enough to
    connect a group, and never a square of its size.
    """
    n = len(signatures)
    keys: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
    for band in range(BANDS if n > 1 else 0):
        firsts, seconds = _in_band(signatures[:, band * ROWS : (band + 1) * ROWS])
        keep = agreement(signatures, firsts, seconds) >= ROUGHLY
        keys = np.union1d(keys, np.minimum(firsts, seconds)[keep] * n + np.maximum(firsts, seconds)[keep])
    first, second = keys // max(1, n), keys % max(1, n)
    return first, second, agreement(signatures, first, second)


def _in_band(numbers: Signatures) -> tuple[Rows, Rows]:
    hashes = np.zeros(len(numbers), dtype=np.uint64)
    for column in numbers.T:
        hashes = (hashes ^ column) * _MIX
        hashes ^= hashes >> np.uint64(29)
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    is_new = np.ones(len(ordered), dtype=np.bool_)
    is_new[1:] = ordered[1:] != ordered[:-1]
    start = np.maximum.accumulate(np.where(is_new, np.arange(len(ordered)), 0))
    follows = np.flatnonzero(~is_new)
    far = follows[start[follows] < follows - 1]
    firsts = np.concatenate([order[follows - 1], order[start[far]]])
    return firsts, np.concatenate([order[follows], order[far]])


def similar_pairs(
    first: Rows, second: Rows, estimates: NDArray[np.float64], texts: Mapping[int, str]
) -> tuple[Rows, Rows, NDArray[np.float64]]:
    """Return the pairs that are near duplicates and how similar; exactly if both texts are given."""
    known: dict[int, frozenset[str]] = {}

    def windows(row: int) -> frozenset[str]:
        if len(known) > 20_000:
            known.clear()
        if row not in known:
            known[row] = shingles(plain_form(texts[row]))
        return known[row]

    values = np.array(
        [
            jaccard(windows(a), windows(b)) if a in texts and b in texts else estimate
            for a, b, estimate in zip(first.tolist(), second.tolist(), estimates.tolist(), strict=True)
        ]
    )
    keep = values >= SIMILAR if len(values) else np.zeros(0, dtype=np.bool_)
    return first[keep], second[keep], values[keep]


class Groups:
    """Rows that are connected by pairs."""

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}

    def root(self, row: int) -> int:
        """Return the row that stands for the group of a row."""
        parent = self._parent
        top = row
        while parent.get(top, top) != top:
            top = parent[top]
        while parent.get(row, row) != top:
            parent[row], row = top, parent[row]
        return top

    def join(self, first: int, second: int) -> None:
        """Connect two rows; the smaller root stands for both."""
        a, b = self.root(first), self.root(second)
        self._parent[max(a, b)] = self._parent[min(a, b)] = min(a, b)

    def join_all(self, firsts: Iterable[int], seconds: Iterable[int]) -> None:
        """Connect pairs of rows."""
        for first, second in zip(firsts, seconds, strict=True):
            self.join(first, second)

    def members(self) -> dict[int, list[int]]:
        """Return the rows of each group of two and more, in order."""
        groups: dict[int, list[int]] = {}
        for row in sorted(self._parent):
            groups.setdefault(self.root(row), []).append(row)
        return {root: rows for root, rows in groups.items() if len(rows) > 1}
