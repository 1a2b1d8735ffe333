"""Rows to parquet. A column that comes late, or needs a wider type, is kept: the file is then written again."""

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
SLICE = 4_096  # rows that are held while the file is written again
Rows = Sequence[Mapping[str, Any]]


class ParquetSink:
    """Parquet, with the columns of all rows.

    The types are those of the first chunk for as long as they hold. A chunk that does not fit goes to a spool on disk
    with all that follow, and at the end everything is written with types that hold all of it.
    """

    def __init__(self, partial: Partial, target: Path) -> None:
        self._pa = need("pyarrow", feature="Writing parquet", extra="parquet")
        self._parquet = need("pyarrow.parquet", feature="Writing parquet", extra="parquet")
        self._partial, self._target = partial, target
        self._types: dict[str, Any] = {}  # of each column; None for one that was empty so far
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
        """Return cells in a type of their own, and widen the type of their column. Arrow would cut 4.5 to fit."""
        pa = self._pa
        try:
            found = pa.array(cells)
            self._types[name] = self._wider(name, self._types.get(name), found.type)
        except (pa.ArrowException, OverflowError, UnicodeError) as error:
            raise self._does_not_fit(name, error) from None
        return found

    def _wider(self, name: str, known: Any, found: Any) -> Any:
        pa = self._pa
        if pa.types.is_null(found):
            return known
        if known is None:
            return found
        both = [pa.schema([pa.field(name, one)]) for one in (known, found)]
        return pa.unify_schemas(both, promote_options="permissive").field(0).type

    def _does_not_fit(self, name: str, error: Exception) -> DataError:
        return DataError(
            self._target,
            f"column {name!r:.60} has values of types that do not go into one column of parquet: {reason(error)}. "
            "Write .jsonl, which keeps each value as it is",
        )

    def _wanted(self) -> Any:
        """Return the columns and their types as far as they are known; one without a value so far is of texts."""
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
        """Return a table with the columns of a schema: in its types, and empty where there are none."""
        pa, there = self._pa, set(table.column_names)
        columns = [self._cast(table[f.name], f) if f.name in there else pa.nulls(len(table), f.type) for f in schema]
        return pa.table(columns, schema=schema)

    def _cast(self, column: Any, field: Any) -> Any:
        pa = self._pa
        try:
            return column if column.type == field.type else column.cast(field.type)
        except pa.ArrowNotImplementedError:  # such as an object that has got another key
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
        """Close the file, of which nothing will be kept."""
        if self._spool is not None:
            self._spool.close()
        if self._writer is not None:
            self._writer.close()
        self._file.close()
