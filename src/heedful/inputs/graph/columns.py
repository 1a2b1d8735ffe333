"""What the numbers of a node's vector are, by name.

`age` is a number that the nodes have; `words=7` is 1 where 7 is among what stands under `words`, else 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError, listed
from heedful.inputs.graph.graph import MOST_NUMBERS

DEGREE = "degree"  # how many neighbours a node has: the one number there is where nodes have none of their own
MOST_VALUES = 50_000  # different values of one column

Cell = float | frozenset[str]  # a number, or what stands there
Cells = Mapping[str, Cell]


def columns_of(nodes: Iterable[Cells]) -> tuple[str, ...]:
    """Return the columns in which all of these nodes can be told: numbers as they are, other values one by one."""
    numbers: dict[str, None] = {}
    values: dict[str, set[str]] = {}
    for node in nodes:
        for name, cell in node.items():
            if isinstance(cell, frozenset):
                values.setdefault(name, set()).update(cell)
            else:
                numbers[name] = None
    if strange := [name for name in numbers if "=" in name]:
        raise HeedfulError(f"{strange[0]!r} has a = in its name, which is for values: call it something else")
    for name, distinct in values.items():
        if name in numbers:
            raise HeedfulError(f"{name} is a number in some nodes and {_some(distinct)} in others")
        if len(distinct) > MOST_VALUES:
            raise HeedfulError(f"{name} has {len(distinct):,} different values, at most {MOST_VALUES:,} are possible")
    return (*numbers, *(f"{name}={value}" for name in values for value in _ordered(values[name])))


def vectors_of(names: Sequence[str], nodes: Sequence[Cells], columns: Sequence[str]) -> NDArray[np.float32]:
    """Return a vector for each node (node, width); a value that no column is for is not told."""
    if len(nodes) * len(columns) > MOST_NUMBERS:
        raise HeedfulError(
            f"{len(nodes):,} nodes with {len(columns):,} numbers each are {len(nodes) * len(columns):,} numbers, "
            f"at most {MOST_NUMBERS:,} are possible"
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
    """Return a finite number that a vector can hold, or None where this is none."""
    try:
        parsed = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return parsed if math.isfinite(parsed) and abs(parsed) <= np.finfo(np.float32).max else None


def _number(node_name: str, node: Cells, name: str) -> float:
    cell = node.get(name)
    if cell is None:
        raise HeedfulError(f"node {node_name!r} has no {name!r}, which is needed; it has {listed(node)}")
    if isinstance(cell, frozenset):
        raise HeedfulError(f"{name} of node {node_name!r} is {_some(cell)}, expected a number")
    return cell


def _ordered(values: Iterable[str]) -> list[str]:
    """Return numbers by size, and then other values by the alphabet."""
    return sorted(values, key=lambda value: (0, int(value), "") if value.isdecimal() else (1, 0, value))


def _some(values: Iterable[str]) -> str:
    examples = sorted(values)[:3]
    return f"{' '.join(examples)!r:.40}" if examples else "nothing"
