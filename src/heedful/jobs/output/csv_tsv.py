"""Rows to CSV or TSV. A column that appears late is added, with empty cells in earlier rows."""

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

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes these for the start of a formula
Rows = Sequence[Mapping[str, Any]]


class DelimitedSink:
    """CSV (quoted where needed) or TSV (tabs and line breaks inside a cell become spaces).

    With `safe`, cells that a spreadsheet would run as a formula get a leading apostrophe.
    """

    def __init__(self, partial: Partial, *, tab: bool, safe: bool = False) -> None:
        self._partial, self._tab, self._safe = partial, tab, safe
        self._columns: dict[str, None] = {}
        self._named = 0  # columns in the header
        self._open()

    def _open(self) -> None:
        self._file: IO[str] = self._partial.path.open("w", encoding="utf-8", errors="replace", newline="")
        self._writer = csv.writer(self._file)

    def write(self, rows: Rows, vectors: NDArray[np.float32] | None = None) -> None:
        """Write a chunk."""
        if vectors is not None:
            raise HeedfulError("csv and tsv cannot hold vectors. Write to .parquet, .npy or .jsonl instead")
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
        cell = written_cell(value)
        return safe_cell(cell) if self._safe else cell

    def close(self) -> None:
        """Finish the file."""
        self._file.close()
        if len(self._columns) > self._named:
            self._name_all()

    def _name_all(self) -> None:
        """Rewrite the file with all columns in its header and as many cells in every row."""
        n, before = len(self._columns), csv.field_size_limit(sys.maxsize)  # cells may be longer than the default limit
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
        """Close the file, which will be discarded."""
        self._file.close()


def safe_cell(cell: str) -> str:
    """Return a cell with a leading apostrophe if a spreadsheet would run it as a formula."""
    return f"'{cell}" if cell.startswith(FORMULA) and not _is_number(cell) else cell


def written_cell(value: Any) -> str:
    """Return the content of a cell; the items of a list are joined by spaces."""
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
