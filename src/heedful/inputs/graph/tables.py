"""A graph from two tables: a row for each node, and a row for each edge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.bad_rows import BadRows
from heedful.data.columns import LABEL_NAMES
from heedful.data.example import Row
from heedful.data.file_form import FileForm
from heedful.data.read import read_rows
from heedful.errors import DataError, HeedfulError, did_you_mean, listed
from heedful.inputs.graph.columns import DEGREE, Cell, columns_of, number, vectors_of
from heedful.inputs.graph.graph import Graph, LabelledGraph

NAME_COLUMNS = ("node_id", "id", "node", "name")
ENDS = (("source", "target"), ("from", "to"))
SPLIT, KIND = "split", "kind"
FEW_TO_GUESS = 5_000  # names: with more, the search for similar names takes too long

Source = str | Path


@dataclass(frozen=True)
class NodeColumns:
    """The columns of the node table; those not given are detected by name."""

    name: str | None = None
    label: str | None = None
    split: str | None = None
    features: tuple[str, ...] = ()  # default: all other columns that contain numbers


def read_tables(nodes: Source, edges: Source, *, asked: NodeColumns | None = None) -> LabelledGraph:
    """Read a graph from two tables in any format of `read_rows`.

    A feature is a number, or a set of integers separated by spaces, such as the word ids of a text.
    """
    rows = list(_table(nodes))
    if not rows:
        raise DataError(nodes, "no nodes: the file is empty or has only a header")
    columns = _resolved(nodes, list(rows[0].values), asked or NodeColumns())
    names = _names(nodes, rows, str(columns.name))
    pairs, kinds = _edges(edges, {name: i for i, name in enumerate(names)}, nodes)
    cells = _cells(nodes, rows, columns)
    try:
        graph = _graph(names, cells, pairs, kinds)
    except HeedfulError as error:
        raise DataError(nodes, str(error)) from None
    labels, splits = _answers(rows, columns.label), _answers(rows, columns.split)
    return LabelledGraph(graph, labels, splits, (columns.name, columns.label))


def _table(path: Source) -> Iterator[Row]:
    """Yield the rows of a table with a header: nodes may have any name, also that of a column."""
    return read_rows(path, faults=BadRows(form=FileForm(header=True)))


def _graph(
    names: tuple[str, ...],
    cells: Sequence[Mapping[str, Cell]],
    pairs: NDArray[np.int64],
    kinds: tuple[str, ...] | None,
) -> Graph:
    columns = columns_of(cells) or (DEGREE,)
    if columns == (DEGREE,):
        degrees = np.bincount(pairs.reshape(-1), minlength=len(names))
        cells = [{DEGREE: float(n), **cell} for n, cell in zip(degrees, cells, strict=True)]
    return Graph(names, vectors_of(names, cells, columns), pairs, kinds, columns)


def _resolved(path: Source, header: Sequence[str], asked: NodeColumns) -> NodeColumns:
    for name in (asked.name, asked.label, asked.split, *asked.features):
        if name is not None and name not in header:
            raise DataError(path, f"no column {name!r}. The columns are {listed(header)}.{did_you_mean(name, header)}")
    return NodeColumns(
        asked.name or next((name for name in NAME_COLUMNS if name in header), header[0]),
        asked.label or next((name for name in LABEL_NAMES if name in header), None),
        asked.split or (SPLIT if SPLIT in header else None),
        asked.features,
    )


def _names(path: Source, rows: Sequence[Row], column: str) -> tuple[str, ...]:
    lines: dict[str, int] = {}
    for row in rows:
        name = _text(row.values.get(column))
        if not name:
            raise DataError(path, f"{column} is empty, expected the name of a node", line=row.line)
        if name in lines:
            raise DataError(path, f"node {name!r} was already defined in line {lines[name]}", line=row.line)
        lines[name] = row.line
    return tuple(lines)


def _edges(path: Source, indices: Mapping[str, int], nodes: Source) -> tuple[NDArray[np.int64], tuple[str, ...] | None]:
    """Return the ends of each edge (edge, 2), and the edge types if there is such a column."""
    pairs: list[tuple[int, int]] = []
    kinds: list[str] = []
    ends: tuple[str, str] | None = None
    for row in _table(path):
        if ends is None:
            ends = _ends(path, list(row.values))
        start, end = (_index(path, row, column, indices, nodes) for column in ends)
        pairs.append((start, end))
        if KIND in row.values:
            kinds.append(_text(row.values[KIND]))
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), tuple(kinds) if len(kinds) == len(pairs) > 0 else None


def _ends(path: Source, header: Sequence[str]) -> tuple[str, str]:
    for ends in ENDS:
        if set(ends) <= set(header):
            return ends
    if len(header) < 2:
        raise DataError(path, f"found 1 column, {header[0]!r}, expected 2 (source, target)")
    return header[0], header[1]


def _index(path: Source, row: Row, column: str, indices: Mapping[str, int], nodes: Source) -> int:
    name = _text(row.values.get(column))
    if name in indices:
        return indices[name]
    suggestion = did_you_mean(name, indices) if len(indices) <= FEW_TO_GUESS else ""
    raise DataError(path, f"{column} is {name!r}, which is not a node in {nodes}.{suggestion}", line=row.line)


def _cells(path: Source, rows: Sequence[Row], columns: NodeColumns) -> list[dict[str, Cell]]:
    features = list(columns.features)
    if not features:
        others = [name for name in rows[0].values if name not in (columns.name, columns.label, columns.split)]
        features = [name for name in others if any(_is_number(row, name) for row in rows)]
    sets = {name for name in features if name.endswith("ids") or any(_is_several(row, name) for row in rows)}
    return [{name: _cell(path, row, name, name in sets) for name in features} for row in rows]


def _cell(path: Source, row: Row, name: str, is_set: bool) -> Cell:
    value = row.values.get(name)
    if is_set:
        parts = _parts(value)
        if invalid := [part for part in parts if not (part.isascii() and part.isdecimal())]:
            raise DataError(path, f"{name} has {invalid[0]!r:.40}, expected integers", line=row.line)
        return frozenset(str(int(part[:20])) for part in parts)
    parsed = number(value)
    if parsed is None:
        raise DataError(path, f"{name} is {value!r:.40}, expected a number", line=row.line)
    return parsed


def _is_number(row: Row, name: str) -> bool:
    parts = _parts(row.values.get(name))
    return bool(parts) and all(number(part) is not None for part in parts)


def _is_several(row: Row, name: str) -> bool:
    return len(_parts(row.values.get(name))) > 1


def _parts(value: Any) -> list[str]:
    return [str(part) for part in value] if isinstance(value, list) else _text(value).split()


def _answers(rows: Sequence[Row], column: str | None) -> tuple[str | None, ...]:
    if column is None:
        return (None,) * len(rows)
    return tuple(_text(row.values.get(column)) or None for row in rows)


def _text(value: Any) -> str:
    return (
        "" if value is None or value != value else str(value).strip()
    )  # NaN, which is not equal to itself, counts as empty
