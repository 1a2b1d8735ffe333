"""Rows to parquet. If a column appears late or needs a wider type, the file is rewritten at the end."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import DataError, need, reason
from heedful.files.atomic import Partial

VECTOR = "vector"
SLICE = 4_096  # rows held in memory while the file is rewritten
Rows = Sequence[Mapping[str, Any]]


class ParquetSink:
    """Parquet, with the columns of all rows.

    The first chunk decides the types. A chunk that does not fit them goes to a spool file, as do all that follow; at
    the end everything is rewritten with types that fit all chunks.
    """

    def __init__(self, partial: Partial, target: Path) -> None:
        self._pa = need("pyarrow", feature="Writing parquet", extra="parquet")
        self._parquet = need("pyarrow.parquet", feature="Writing parquet", extra="parquet")
        self._partial, self._target = partial, target
        self._types: dict[str, Any] = {}  # of each column; None while a column is empty
        self._vector: Any = None
        self._file: IO[bytes] = partial.path.open("wb")
        self._writer: Any = None
        self._schema: Any = None  # of what is written to the file itself
        self._spool: IO[bytes] | None = None
        self._starts: list[int] = []  # of the chunks in the spool

    def write(self, rows: Rows, vectors: NDArray[np.float32] | None = None) -> None:
        """Write a chunk."""
        if not rows:
            return
        pa, names = self._pa, dict.fromkeys(name for row in rows for name in row)
        columns = {name: self._column(name, [row.get(name) for row in rows]) for name in {**self._types, **names}}
        if vectors is not None:
            flat = pa.array(np.ascontiguousarray(vectors).reshape(-1))
            columns[VECTOR] = pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])
            self._vector = columns[VECTOR].type
        table = pa.table(columns)
        if self._writer is None:
            self._schema = self._wanted()
            self._writer = self._parquet.ParquetWriter(self._file, self._schema, compression="zstd")
        if self._spool is None and self._schema.equals(self._wanted()):
            self._writer.write_table(self._fitted(table, self._schema))
        else:
            self._spooled(table)

    def _column(self, name: str, cells: list[Any]) -> Any:
        """Return cells in their own type, and widen the type of the column. Arrow would truncate 4.5 to fit."""
        pa = self._pa
        try:
            column = pa.array(cells)
            self._types[name] = self._wider(name, self._types.get(name), column.type)
        except (pa.ArrowException, OverflowError, UnicodeError) as error:
            raise self._does_not_fit(name, error) from None
        return column

    def _wider(self, name: str, known: Any, new: Any) -> Any:
        pa = self._pa
        if pa.types.is_null(new):
            return known
        if known is None:
            return new
        both = [pa.schema([pa.field(name, kind)]) for kind in (known, new)]
        return pa.unify_schemas(both, promote_options="permissive").field(0).type

    def _does_not_fit(self, name: str, error: Exception) -> DataError:
        return DataError(
            self._target,
            f"column {name!r:.60} has values of types that cannot share a parquet column: {reason(error)}. "
            "Write .jsonl, which keeps each value as it is",
        )

    def _wanted(self) -> Any:
        """Return the columns with the types known so far; a column without values is a string column."""
        pa = self._pa
        fields = [pa.field(name, pa.string() if kind is None else kind) for name, kind in self._types.items()]
        return pa.schema([*fields, *([pa.field(VECTOR, self._vector)] if self._vector is not None else [])])

    def _spooled(self, table: Any) -> None:
        if self._spool is None:
            self._spool = tempfile.TemporaryFile(dir=self._partial.path.parent)  # noqa: SIM115  closed with the sink
        self._starts.append(self._spool.tell())
        with self._pa.ipc.new_stream(self._spool, table.schema) as stream:
            stream.write_table(table)

    def _fitted(self, table: Any, schema: Any) -> Any:
        """Return a table cast to a schema, with nulls for missing columns."""
        pa, there = self._pa, set(table.column_names)
        columns = [self._cast(table[f.name], f) if f.name in there else pa.nulls(len(table), f.type) for f in schema]
        return pa.table(columns, schema=schema)

    def _cast(self, column: Any, field: Any) -> Any:
        pa = self._pa
        try:
            return column if column.type == field.type else column.cast(field.type)
        except pa.ArrowNotImplementedError:  # such as an object with a new key
            return pa.array(column.to_pylist(), field.type)
        except pa.ArrowException as error:
            raise self._does_not_fit(field.name, error) from None

    def close(self) -> None:
        """Finish the file."""
        if self._writer is None:
            self._types = {"text": None}
            self._writer = self._parquet.ParquetWriter(self._file, self._wanted(), compression="zstd")
        self._writer.close()
        self._file.close()
        if self._spool is not None:
            self._write_again(self._spool)

    def _write_again(self, spool: IO[bytes]) -> None:
        schema = self._wanted()
        with (
            spool,
            self._partial.restart() as before,
            self._partial.path.open("wb") as file,
            self._parquet.ParquetWriter(file, schema, compression="zstd") as writer,
        ):
            for table in self._chunks(before, spool):
                writer.write_table(self._fitted(table, schema))

    def _chunks(self, before: IO[bytes], spool: IO[bytes]) -> Iterator[Any]:
        for batch in self._parquet.ParquetFile(before).iter_batches(batch_size=SLICE):
            yield self._pa.Table.from_batches([batch])
        for start in self._starts:
            spool.seek(start)
            yield self._pa.ipc.open_stream(spool).read_all()

    def abandon(self) -> None:
        """Close the file, which will be discarded."""
        if self._spool is not None:
            self._spool.close()
        if self._writer is not None:
            self._writer.close()
        self._file.close()
