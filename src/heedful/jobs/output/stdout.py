"""Results to standard output, chunk by chunk, for the next program of a pipe."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.files.json_text import json_text
from heedful.jobs.output.csv_tsv import safe_cell, written_cell

Rows = Sequence[Mapping[str, Any]]


class StdoutSink(AbstractContextManager["StdoutSink"]):
    """CSV, or JSON lines if there are vectors. The columns are those of the first chunk."""

    def __init__(self, *, safe_csv: bool = False) -> None:
        self._safe = safe_csv
        self._columns: list[str] = []

    def write(self, rows: Rows, vectors: NDArray[np.float32] | None = None) -> None:
        """Write a chunk and flush it."""
        if vectors is None:
            self._write_csv(rows)
        else:
            for row, vector in zip(rows, vectors, strict=True):
                value = {**row, "vector": [float(f"{x:.7g}") for x in vector]}
                sys.stdout.write(json_text(value, default=str) + "\n")
        sys.stdout.flush()

    def _write_csv(self, rows: Rows) -> None:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        names = dict.fromkeys(name for row in rows for name in row)
        if not self._columns and names:
            self._columns = list(names)
            writer.writerow(self._columns)
        if new := [name for name in names if name not in self._columns]:
            raise HeedfulError(f"column {new[0]!r:.60} appears only in later rows: write to a file instead of -o -")
        for row in rows:
            cells = [written_cell(row.get(name)) for name in self._columns]
            writer.writerow(map(safe_cell, cells) if self._safe else cells)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            sys.stdout.flush()
