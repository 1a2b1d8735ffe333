"""The columns of node vectors.

`age` is a numeric attribute; `words=7` is an indicator column: 1 if 7 is among the values of `words`, else 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError, listed
from heedful.inputs.graph.graph import MOST_NUMBERS

DEGREE = "degree"  # number of neighbours: the only column of nodes without attributes
MOST_VALUES = 50_000  # different values of one column

Cell = float | frozenset[str]  # a number, or a set of values
Cells = Mapping[str, Cell]


def columns_of(nodes: Iterable[Cells]) -> tuple[str, ...]:
    """Return the columns for these nodes: one for each number, one for each value of other attributes."""
    numbers: dict[str, None] = {}
    values: dict[str, set[str]] = {}
    for node in nodes:
        for name, cell in node.items():
            if isinstance(cell, frozenset):
                values.setdefault(name, set()).update(cell)
            else:
                numbers[name] = None
    if invalid := [name for name in numbers if "=" in name]:
        raise HeedfulError(f"{invalid[0]!r} contains '=', which is reserved; rename the column")
    for name, distinct in values.items():
        if name in numbers:
            raise HeedfulError(f"{name} is a number in some nodes and {_some(distinct)} in others")
        if len(distinct) > MOST_VALUES:
            raise HeedfulError(f"{name} has {len(distinct):,} different values, expected at most {MOST_VALUES:,}")
    return (*numbers, *(f"{name}={value}" for name in values for value in _ordered(values[name])))


def vectors_of(names: Sequence[str], nodes: Sequence[Cells], columns: Sequence[str]) -> NDArray[np.float32]:
    """Return a vector for each node (node, width); values without a column are ignored."""
    if len(nodes) * len(columns) > MOST_NUMBERS:
        raise HeedfulError(
            f"{len(nodes):,} nodes with {len(columns):,} numbers each are {len(nodes) * len(columns):,} numbers, "
            f"expected at most {MOST_NUMBERS:,}"
        )
    indices = {column: i for i, column in enumerate(columns)}
    needed = [column for column in columns if "=" not in column]
    vectors = np.zeros((len(nodes), len(columns)), dtype=np.float32)
    for row, node_name, node in zip(vectors, names, nodes, strict=True):
        for name in needed:
            row[indices[name]] = _number(node_name, node, name)
        for name, cell in node.items():
            if isinstance(cell, frozenset):
                row[[indices[key] for value in cell if (key := f"{name}={value}") in indices]] = 1.0
    return vectors


def number(value: Any) -> float | None:
    """Return the value as a finite float32, or None if it is not one."""
    try:
        parsed = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return parsed if math.isfinite(parsed) and abs(parsed) <= np.finfo(np.float32).max else None


def _number(node_name: str, node: Cells, name: str) -> float:
    cell = node.get(name)
    if cell is None:
        raise HeedfulError(f"node {node_name!r} has no {name!r}, which is required; it has {listed(node)}")
    if isinstance(cell, frozenset):
        raise HeedfulError(f"{name} of node {node_name!r} is {_some(cell)}, expected a number")
    return cell


def _ordered(values: Iterable[str]) -> list[str]:
    """Return numbers by size, then other values in alphabetical order."""
    return sorted(values, key=lambda value: (0, int(value), "") if value.isdecimal() else (1, 0, value))


def _some(values: Iterable[str]) -> str:
    examples = sorted(values)[:3]
    return f"{' '.join(examples)!r:.40}" if examples else "nothing"
