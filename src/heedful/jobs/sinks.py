"""Where results of a stream go: written beside the target and moved into place at the end."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from heedful.errors import DataError, HeedfulError, need

Rows = Sequence[Mapping[str, Any]]


class Sink(Protocol):
    """Takes rows, chunk by chunk; `vectors`, where there are some, go with them."""

    def write(self, rows: Rows, vectors: NDArray[np.float32] | None = None) -> None:
        """Write a chunk."""

    def close(self) -> None:
        """Finish the file."""


class JsonlSink:
    """JSON lines."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w", encoding="utf-8")

    def write(self, rows: Rows, vectors: NDArray[np.float32] | None = None) -> None:
        """Write a chunk."""
        for i, row in enumerate(rows):
            value = dict(row) if vectors is None else {**row, "vector": [float(f"{x:.7g}") for x in vectors[i]]}
            self._file.write(json.dumps(value, ensure_ascii=False, default=str) + "\n")

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


class DelimitedSink:
    """CSV (quoted where needed) or TSV (tabs and line breaks inside a cell become spaces)."""

    def __init__(self, path: Path, *, tab: bool) -> None:
        self._file: IO[str] = path.open("w", encoding="utf-8", newline="")
        self._tab, self._writer, self._columns = tab, csv.writer(self._file), []  # type: ignore[var-annotated]

    def write(self, rows: Rows, vectors: NDArray[np.float32] | None = None) -> None:
        """Write a chunk."""
        if vectors is not None:
            raise HeedfulError("vectors do not go into csv or tsv. Use -o with .parquet, .npy or .jsonl")
        for row in rows:
            if not self._columns:
                self._columns = list(row)
                self._line(self._columns)
            self._line([_cell(row.get(name)) for name in self._columns])

    def _line(self, cells: Sequence[str]) -> None:
        if self._tab:
            self._file.write("\t".join(" ".join(cell.splitlines()).replace("\t", " ") for cell in cells) + "\n")
        else:
            self._writer.writerow(cells)

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


def _cell(value: Any) -> str:
    """Return what stands in a cell: of a list, its parts with spaces between."""
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


class ParquetSink:
    """Parquet; the types are those of the first chunk. A column called `vector` makes room for ours."""

    def __init__(self, path: Path) -> None:
        self._arrow = need("pyarrow", feature="Writing parquet", extra="parquet")
        self._parquet = need("pyarrow.parquet", feature="Writing parquet", extra="parquet")
        self._path = path
        self._writer: Any = None
        self._schema: Any = None

    def write(self, rows: Rows, vectors: NDArray[np.float32] | None = None) -> None:
        """Write a chunk."""
        pa = self._arrow
        values = [{name: cell for name, cell in row.items() if vectors is None or name != "vector"} for row in rows]
        try:
            table = pa.Table.from_pylist(values, schema=self._schema or self._first_schema(values))
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            raise DataError(self._path, f"the columns changed their type midway: {error}") from None
        self._schema = self._schema or table.schema
        if vectors is not None:
            flat = pa.array(np.ascontiguousarray(vectors).reshape(-1))
            table = table.append_column("vector", pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]))
        if self._writer is None:
            self._writer = self._parquet.ParquetWriter(self._path, table.schema, compression="zstd")
        self._writer.write_table(table)

    def _first_schema(self, values: list[dict[str, Any]]) -> Any:
        """Return the types of the first chunk; a column that is empty so far is taken for texts."""
        pa = self._arrow
        schema = pa.Table.from_pylist(values).schema
        return pa.schema([f.with_type(pa.string()) if pa.types.is_null(f.type) else f for f in schema])

    def close(self) -> None:
        """Finish the file."""
        if self._writer is None:
            self._parquet.write_table(
                self._arrow.table({"text": self._arrow.array([], self._arrow.string())}), self._path
            )
        else:
            self._writer.close()


class NpySink:
    """One NumPy array of all vectors; its header is written again at the end, when their number is known."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._n, self._width = 0, 0

    def write(self, rows: Rows, vectors: NDArray[np.float32] | None = None) -> None:
        """Write a chunk."""
        if vectors is None:
            raise HeedfulError(".npy is for vectors only. Use -o with .csv, .tsv, .jsonl or .parquet")
        if self._n == 0:
            self._width = vectors.shape[1]
            self._header()
        self._n += len(rows)
        self._file.write(np.ascontiguousarray(vectors, dtype="<f4").tobytes())

    def _header(self) -> None:
        shape = {"descr": "<f4", "fortran_order": False, "shape": (self._n, self._width)}
        np.lib.format.write_array_header_1_0(self._file, shape)  # NumPy leaves room for a growing first axis

    def close(self) -> None:
        """Finish the file."""
        self._file.seek(0)
        self._header()
        self._file.close()


SINKS: dict[str, Callable[[Path], Sink]] = {
    ".jsonl": JsonlSink,
    ".csv": lambda path: DelimitedSink(path, tab=False),
    ".tsv": lambda path: DelimitedSink(path, tab=True),
    ".parquet": ParquetSink,
    ".npy": NpySink,
}


class open_sink(AbstractContextManager[Sink]):  # noqa: N801  a context manager, read as a verb
    """Open a file for results by its ending. It appears under its name only when all of it is written."""

    def __init__(self, path: Path) -> None:
        if path.suffix not in SINKS:
            raise DataError(path, f"cannot tell the format by the ending. Known endings: {', '.join(SINKS)}")
        if path.is_dir():
            raise DataError(path, "this is a folder, expected a file")
        self._path, self._partial = path, path.with_name(f".{path.name}.{os.getpid()}.partial")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._sink: Sink = SINKS[path.suffix](self._partial)
        except OSError as error:
            raise DataError(path, f"cannot be written: {error.strerror}") from None

    def __enter__(self) -> Sink:
        return self._sink

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._sink.close()
            if kind is None:
                self._partial.replace(self._path)
        finally:
            self._partial.unlink(missing_ok=True)
