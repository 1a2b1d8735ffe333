"""The size of a tensor, and the values of small integer tensors that are shapes."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from heedful.store.graph_check.graph_file import LARGEST, MAX_KNOWN, Attribute
from heedful.store.graph_check.protobuf import WireError


@dataclass(frozen=True)
class Size:
    """The dimensions of a tensor, its values if small and integer, and the multiplications to compute it."""

    dims: tuple[int, ...]
    numbers: NDArray[np.int64] | None = None
    is_constant: bool = False
    multiplications: int = 0

    @property
    def elements(self) -> int:
        """The number of elements."""
        return prod(self.dims)


def joined(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the broadcast shape."""
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(dims)) + dims for dims in shapes]
    return tuple(0 if 0 in column else max(column) for column in zip(*padded, strict=True))


def known_numbers(size: Size) -> NDArray[np.int64]:
    """Return the tracked values of a tensor that is used as a shape."""
    if size.numbers is None or np.abs(size.numbers).max(initial=0) > 2**62:
        raise WireError("a shape is computed in a way that is not allowed")
    return size.numbers


def small(numbers: NDArray[np.int64]) -> NDArray[np.int64] | None:
    return np.minimum(numbers, LARGEST) if numbers.size <= MAX_KNOWN else None


def of_numbers(numbers: NDArray[np.int64]) -> Size:
    return Size(numbers.shape, numbers)


def axis_of(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise ValueError
    return axis % rank


def integer(value: Attribute) -> int:
    if type(value) is not int or abs(value) > LARGEST:
        raise ValueError
    return value


def integers(value: Attribute) -> tuple[int, ...]:
    if not isinstance(value, tuple):
        raise ValueError
    return value
