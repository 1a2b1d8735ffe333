"""Writers of parts: parquet, JSON lines or CSV, slice by slice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Protocol

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from heedful.engines.reading.json_cells import dumped, plain_rows

GROUP_BYTES = 32 * 2**20  # buffered before a row group is written


class Writer(Protocol):
    """Writes tables of one schema."""

    def write(self, table: pa.Table) -> None:
        """Write some rows."""

    def close(self) -> None:
        """Finish the file."""


class ParquetWriter:
    """Parquet with zstd compression; vectors are fixed-size lists."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        # Numbers in vectors hardly repeat: a dictionary would be wasted work.
        dictionary_columns = [
            field.name for field in schema if field.name != "vector" and not pa.types.is_nested(field.type)
        ]
        self._writer = pq.ParquetWriter(path, schema, compression="zstd", use_dictionary=dictionary_columns)
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
    """JSON lines; cells that came from JSON are restored."""

    def __init__(self, path: Path, _: pa.Schema) -> None:
        self._file: IO[str] = path.open("w", encoding="utf-8")

    def write(self, table: pa.Table) -> None:
        """Write some rows."""
        self._file.writelines(dumped(row) + "\n" for row in plain_rows(table))

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


class CsvWriter:
    """CSV with a header in every part; a list becomes one cell, joined by spaces."""

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


def _flat(dtype: pa.DataType) -> pa.DataType:
    return pa.string() if pa.types.is_nested(dtype) else dtype.value_type if pa.types.is_dictionary(dtype) else dtype


def _flattened(column: Any) -> Any:
    if not pa.types.is_nested(column.type):
        return column.cast(_flat(column.type))
    return pa.array([_cell(cell) for cell in column.to_pylist()], pa.string())


def _cell(cell: Any) -> str | None:
    if isinstance(cell, list) and all(isinstance(item, str) for item in cell):
        return " ".join(cell)
    return None if cell is None else dumped(cell)


FORMS: dict[str, Callable[[Path, pa.Schema], Writer]] = {
    "parquet": ParquetWriter,
    "jsonl": JsonlWriter,
    "csv": CsvWriter,
}
