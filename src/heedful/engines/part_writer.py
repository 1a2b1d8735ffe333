"""Rows with their answers into one file, slice by slice: parquet, JSON lines or CSV."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Protocol

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from heedful.engines.reading.json_cells import dumped, plain_rows

GROUP_BYTES = 32 * 2**20  # held before a row group is written: few small groups, little memory


class Writer(Protocol):
    """Takes tables of one schema."""

    def write(self, table: pa.Table) -> None:
        """Write some rows."""

    def close(self) -> None:
        """Finish the file."""


class ParquetWriter:
    """Parquet, packed by zstd; vectors are fixed-size lists."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        # Vectors have no two numbers alike: a dictionary of them is work for nothing.
        words = [field.name for field in schema if field.name != "vector" and not pa.types.is_nested(field.type)]
        self._writer = pq.ParquetWriter(path, schema, compression="zstd", use_dictionary=words)
        self._held: list[pa.Table] = []
        self._size = 0

    def write(self, table: pa.Table) -> None:
        """Write some rows."""
        self._held.append(table)
        self._size += table.nbytes
        if self._size >= GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._held:
            self._writer.write_table(pa.concat_tables(self._held))
            self._held, self._size = [], 0

    def close(self) -> None:
        """Finish the file."""
        self._flush()
        self._writer.close()


class JsonlWriter:
    """JSON lines; cells that came from JSON are again what they were."""

    def __init__(self, path: Path, _: pa.Schema) -> None:
        self._file: IO[str] = path.open("w", encoding="utf-8")

    def write(self, table: pa.Table) -> None:
        """Write some rows."""
        self._file.writelines(dumped(row) + "\n" for row in plain_rows(table))

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


class CsvWriter:
    """CSV, with a first line of names in every part; a list is one cell with spaces between."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._schema = pa.schema([pa.field(field.name, _flat(field.type)) for field in schema])
        self._writer = pa_csv.CSVWriter(path, self._schema)

    def write(self, table: pa.Table) -> None:
        """Write some rows."""
        columns = [_flattened(column) for column in table.columns]
        self._writer.write_table(pa.table(columns, schema=self._schema))

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()


def _flat(kind: pa.DataType) -> pa.DataType:
    return pa.string() if pa.types.is_nested(kind) else kind.value_type if pa.types.is_dictionary(kind) else kind


def _flattened(column: Any) -> Any:
    if not pa.types.is_nested(column.type):
        return column.cast(_flat(column.type))
    return pa.array([_cell(cell) for cell in column.to_pylist()], pa.string())


def _cell(cell: Any) -> str | None:
    if isinstance(cell, list) and all(isinstance(one, str) for one in cell):
        return " ".join(cell)
    return None if cell is None else dumped(cell)


FORMS: dict[str, Callable[[Path, pa.Schema], Writer]] = {
    "parquet": ParquetWriter,
    "jsonl": JsonlWriter,
    "csv": CsvWriter,
}
