"""Vectors and weights as tables of a page, in plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from heedful.explain.steps.numpy_transformer import Array
from heedful.show.kit.html.cells import ROOMY, Cell, cell
from heedful.show.kit.svg.shades import darkest
from heedful.show.kit.text.numbers import short

STRENGTH = 0.75  # of the ground under the largest number of a vector: on a stronger one it is hard to read


@dataclass(frozen=True)
class VectorTable:
    """The first numbers of some vectors, coloured by sign and size."""

    rows: list[tuple[str, list[Cell]]]
    has_more: bool  # whether the vectors go on
    followed: int | None  # the row of the word that is followed


@dataclass(frozen=True)
class ColumnTable:
    """A row for each word, a column for each array of numbers, and a bar where there are shares."""

    heads: Sequence[str]
    rows: list[tuple[str, list[str], str]]  # with the length of the bar
    has_bars: bool
    followed: int


@dataclass(frozen=True)
class WeightGrid:
    """Weights (row, column) as a grid of shades with their numbers."""

    columns: Sequence[str]
    rows: list[tuple[str, list[Cell]]]
    label: str
    is_tight: bool
    followed: int | None


def vector_table(
    names: Sequence[str], vectors: Array, *, columns: int, size: float, followed: int | None = None
) -> VectorTable:
    """Return the first numbers of each vector (row, number); `size` is the largest there is."""
    rows = [
        (name, [_signed(x, size) for x in row[:columns]]) for name, row in zip(names, vectors.tolist(), strict=True)
    ]
    return VectorTable(rows, vectors.shape[1] > columns, followed)


def column_table(
    heads: Sequence[str],
    names: Sequence[str],
    columns: Sequence[Array],
    *,
    followed: int,
    bars: Array | None = None,
) -> ColumnTable:
    """Return a row for each word and a column for each array of numbers."""
    rows = [
        (name, [short(float(column[i])) for column in columns], "" if bars is None else f"{bars[i]:.3f}")
        for i, name in enumerate(names)
    ]
    return ColumnTable(heads, rows, bars is not None, followed)


def weight_grid(
    rows: Sequence[str], columns: Sequence[str], weights: Array, *, followed: int | None = None, label: str
) -> WeightGrid:
    """Return weights (row, column) as a grid."""
    is_tight = len(columns) > ROOMY
    scale = darkest(float(weights.max(initial=0.0)), len(columns))
    cells = [
        (name, [cell(weight, weight / scale, is_tight=is_tight, digits=2) for weight in row])
        for name, row in zip(rows, weights.tolist(), strict=True)
    ]
    return WeightGrid(columns, cells, label, is_tight, followed)


def largest_of(arrays: Iterable[Array]) -> float:
    """Return the largest size of any number, by which all are coloured."""
    return max((float(np.abs(array).max(initial=0.0)) for array in arrays), default=0.0) or 1.0


def _signed(x: float, size: float) -> Cell:
    strength = min(1.0, abs(x) / size)
    full = cell(x, strength if x > 0 else -strength, is_signed=True, digits=2)
    return replace(full, shade=f"{STRENGTH * strength:.2f}") if full.shade else full
