"""Rows to CSV or TSV. A column that comes late is added, and the rows before it get an empty cell."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.files.atomic import Partial
from heedful.files.json_text import json_text

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for the beginning of a formula
Rows = Sequence[Mapping[str, Any]]


class DelimitedSink:
    """CSV (quoted where needed) or TSV (tabs and line breaks inside a cell become spaces).

    With `safe`, a cell that a spreadsheet would run as a formula begins with an apostrophe.
    """

    def __init__(self, partial: Partial, *, tab: bool, safe: bool = False) -> None:
        self._partial, self._tab, self._safe = partial, tab, safe
        self._columns: dict[str, None] = {}
        self._named = 0  # columns that the first line names
        self._open()

    def _open(self) -> None:
        self._file: IO[str] = self._partial.path.open("w", encoding="utf-8", errors="replace", newline="")
        self._writer = csv.writer(self._file)

    def write(self, rows: Rows, vectors: NDArray[np.float32] | None = None) -> None:
        """Write a chunk."""
        if vectors is not None:
            raise HeedfulError("vectors do not go into csv or tsv. Use -o with .parquet, .npy or .jsonl")
        self._columns |= dict.fromkeys(name for row in rows for name in row)
        if rows and not self._named:
            self._named = len(self._columns)
            self._line(list(self._columns))
        for row in rows:
            self._line([self._cell(row.get(name)) for name in self._columns])

    def _line(self, cells: Sequence[str]) -> None:
        if self._tab:
            self._file.write("\t".join(" ".join(cell.splitlines()).replace("\t", " ") for cell in cells) + "\n")
        else:
            self._writer.writerow(cells)

    def _cell(self, value: Any) -> str:
        cell = _written(value)
        return f"'{cell}" if self._safe and cell.startswith(FORMULA) and not _is_number(cell) else cell

    def close(self) -> None:
        """Finish the file."""
        self._file.close()
        if len(self._columns) > self._named:
            self._name_all()

    def _name_all(self) -> None:
        """Write the file again, with all columns in its first line and as many cells in every other."""
        n, before = len(self._columns), csv.field_size_limit(sys.maxsize)  # what was written here can be read here
        with io.TextIOWrapper(self._partial.restart(), encoding="utf-8", newline="") as old:
            self._open()
            try:
                lines = self._lines(old)
                next(lines)
                self._line(list(self._columns))
                for cells in lines:
                    self._line([*cells, *[""] * (n - len(cells))])
            finally:
                csv.field_size_limit(before)
        self._file.close()

    def _lines(self, old: IO[str]) -> Iterator[list[str]]:
        if self._tab:
            return (line.removesuffix("\n").split("\t") for line in old)
        return csv.reader(old)

    def abandon(self) -> None:
        """Close the file, of which nothing will be kept."""
        self._file.close()


def _written(value: Any) -> str:
    """Return what stands in a cell: of a list, its parts with spaces between."""
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value))
    if isinstance(value, dict):
        return json_text(value, default=str)
    return "" if value is None else str(value)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
