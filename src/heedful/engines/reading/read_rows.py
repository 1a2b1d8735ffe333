"""The rows of a part, in slices to bound memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from heedful.engines.plan import Part
from heedful.engines.reading.columns import JSON_KINDS
from heedful.engines.reading.json_cells import MORE, MORE_OF_INPUT, table_of
from heedful.engines.reading.parse_records import RECORDS, Bad, numbered
from heedful.engines.reading.paths import ending, file_system
from heedful.engines.reading.survey import BUFFER, open_bytes
from heedful.errors import listed

SLICE = 4_096  # rows: enough to sort by length into full batches
SLICE_BYTES = 16 * 2**20


@dataclass(frozen=True)
class Slice:
    """Rows with their numbers, and the rejected rows among them."""

    table: pa.Table
    rows: NDArray[np.int64]
    bad: Sequence[Bad] = ()


def read_part(part: Part, schema: pa.Schema) -> Iterator[Slice]:
    """Yield the rows of a part as columns of this schema."""
    kind = ending(part.file.name)[0]
    return _parquet(part, schema) if kind == ".parquet" else _lines(part, kind, schema)


def _parquet(part: Part, schema: pa.Schema) -> Iterator[Slice]:
    system, path = file_system(part.file.place)
    start, stop = part.cut.start, part.cut.stop or 0
    with system.open_input_file(path) as source:
        # Without a buffer, Arrow holds the whole compressed row group in memory.
        file = pq.ParquetFile(source, page_checksum_verification=True, pre_buffer=False, buffer_size=BUFFER)
        groups, at = _groups(file.metadata, start, stop)
        names = [name for name in file.schema_arrow.names if _renamed(name) in schema.names]
        for batch in file.iter_batches(_slice_rows(file.metadata), row_groups=groups, columns=names):
            first, last = max(start - at, 0), min(stop - at, batch.num_rows)
            if first < last:
                table = pa.Table.from_batches([batch.slice(first, last - first)])
                table = table.rename_columns([_renamed(name) for name in table.column_names])
                yield Slice(fitted(table, schema), np.arange(at + first + 1, at + last + 1))
            at += batch.num_rows
            if at >= stop:
                return


def _groups(metadata: Any, start: int, stop: int) -> tuple[list[int], int]:
    """Return the row groups that overlap a range of rows, and the first row of the first of them."""
    ends = np.cumsum([metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)])
    starts = ends - [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    group_numbers = [int(i) for i in np.flatnonzero((ends > start) & (starts < stop))]
    return group_numbers, int(starts[group_numbers[0]])


def _slice_rows(metadata: Any) -> int:
    """Return the number of rows per slice: fewer if rows are long."""
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    return int(np.clip(SLICE_BYTES * max(metadata.num_rows, 1) // max(size, 1), 16, SLICE))


def fitted(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return a table with the columns of a schema, cast if necessary; missing columns are null."""
    if table.schema.equals(schema):
        return table
    columns = [
        table[field.name].cast(field.type) if field.name in table.column_names else pa.nulls(len(table), field.type)
        for field in schema
    ]
    return pa.table(columns, schema=schema)


def _lines(part: Part, kind: str, schema: pa.Schema) -> Iterator[Slice]:
    to_table = table_of if kind in JSON_KINDS else _texts_table
    with open_bytes(part.file.place) as file:
        if part.cut.start:
            file.seek(part.cut.start)
        records = RECORDS[kind](part, numbered(file, part))
        rows: list[dict[str, Any]] = []
        numbers: list[int] = []
        bad: list[Bad] = []
        size = 0
        for number, record, length in records:
            if isinstance(record, Bad):
                bad.append(record)
            elif wrong := _not_a_text(record, part.file.sources):
                bad.append(Bad(number, wrong))
            else:
                rows.append(record)
                numbers.append(number)
            size += length
            if len(rows) + len(bad) >= SLICE or size >= SLICE_BYTES:
                yield Slice(to_table(rows, schema), np.array(numbers, np.int64), bad)
                rows, numbers, bad, size = [], [], [], 0
        if rows or bad:
            yield Slice(to_table(rows, schema), np.array(numbers, np.int64), bad)


def _texts_table(rows: Sequence[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    cells = [{_renamed(name): cell for name, cell in row.items()} for row in rows]
    return pa.table([pa.array([row.get(f.name) for row in cells], f.type) for f in schema], schema=schema)


def _renamed(name: str) -> str:
    return MORE_OF_INPUT if name == MORE else name


def _not_a_text(record: dict[str, Any], names: Sequence[str]) -> str | None:
    for name in names:
        if name not in record:
            return f"no column {name!r}; found {listed(record)}"
        if not isinstance(record[name], (str, list)):
            return f"{name} is {record[name]!r:.60}, expected a text"
    return None
