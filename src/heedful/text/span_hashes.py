"""64-bit hashes of spans of characters: of any span by two sums, of all spans of a few lengths in three operations."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Codes = NDArray[np.uint64]
Places = NDArray[np.int64]
Number = TypeVar("Number", bound=np.generic)

MARGIN = 8  # values after the last: no window is longer
PAIR = np.uint64(0x94D049BB133111EB)
_BITS = 1 << 64
_BASE = 0x9E3779B97F4A7C15  # odd, so that it has an inverse
_INVERSE = pow(_BASE, -1, _BITS)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_ONE, _31, _29 = np.uint64(1), np.uint64(31), np.uint64(29)


class SpanHashes:
    """Powers of the base and of its inverse, by which the hash of any span is a difference of two sums."""

    def __init__(self) -> None:
        self._base = self._inverse = np.ones(1, dtype=np.uint64)

    def sums(self, codes: Codes) -> Hashes:
        """Return Σ (code[k] + 1) · base^k up to each position: (code + 1 + margin,)."""
        n = len(codes)
        self._grow(n + 1)
        sums = np.zeros(n + 1 + MARGIN, dtype=np.uint64)
        np.add.accumulate((codes + _ONE) * self._base[:n], out=sums[1 : n + 1])
        return sums

    def spans(self, sums: Hashes, start: Places, end: Places) -> Hashes:
        """Return the hash of each span, wherever it stands."""
        return (sums.take(end) - sums.take(start)) * self._inverse.take(start)

    def windows(self, sums: Hashes, lengths: range) -> Hashes:
        """Return the hash of the window of each length at each position: (length, code)."""
        n = len(sums) - 1 - MARGIN
        hashes = shifted(sums, lengths.start, len(lengths), n) - sums[:n]
        hashes *= self._inverse[:n]
        return hashes

    def _grow(self, n: int) -> None:
        if n > len(self._base):
            size = 1 << int(n - 1).bit_length()
            # The base is last: another thread that sees it sees its inverse too.
            for name, factor in (("_inverse", _INVERSE), ("_base", _BASE)):
                powers = np.full(size, factor, dtype=np.uint64)
                powers[0] = 1
                setattr(self, name, np.multiply.accumulate(powers))


def shifted(values: NDArray[Number], first: int, n_rows: int, n: int) -> NDArray[Number]:
    """Return a view (row, position) of values: those from `first` on, in each row from one further on."""
    size = values.itemsize
    rows: NDArray[Any] = np.ndarray((n_rows, n), values.dtype, values, offset=first * size, strides=(size, size))
    return rows


def salt(kind: int) -> np.uint64:
    """Return a number that tells hashes of one kind from those of another."""
    return np.uint64(kind * _BASE % _BITS)


def mix(hashes: Hashes) -> Hashes:
    """Make all bits of each hash depend on each other, in place."""
    hashes *= _MIX
    hashes ^= hashes >> _31
    hashes *= PAIR
    hashes ^= hashes >> _29
    return hashes
