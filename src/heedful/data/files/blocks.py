"""Blocks of a large file that can be read independently: lines of JSON, or rows of parquet."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.columns import check_column_names
from heedful.data.example import Row
from heedful.data.files.jsonl import row_of_line
from heedful.data.files.lines import MAX_LINE, decoded, open_bytes
from heedful.data.files.parquet import SLICE
from heedful.data.files.paths import is_pattern
from heedful.errors import DataError, need

LINES = 1_000  # in a block of JSON lines
ROWS = 5_000  # in a block of parquet: a row group may hold millions
BUFFER = 2**20  # read-ahead bytes per column
ENDINGS = (".jsonl", ".ndjson", ".parquet")


@dataclass(frozen=True)
class Block:
    """A block of a file. `start` is a byte offset, or the number of a parquet row group."""

    path: str
    start: int
    first: int  # number of its first line or row, from 1
    rows: int  # number of rows, or of lines including blank ones
    skip: int = 0  # rows of the row group before the block


def blocks_of(path: str | Path, *, most: int = ROWS) -> list[Block]:
    """Return the blocks of a file, at most `most` rows each. Only the line ends or the footer are read."""
    if Path(path).is_dir() or is_pattern(path):
        raise DataError(path, "cannot be streamed: expected one file, not a folder or a pattern")
    suffix = Path(path).suffix.lower()
    if suffix not in ENDINGS:
        raise DataError(path, f"cannot be streamed: expected a file ending in {', '.join(ENDINGS)}")
    blocks = _row_groups(path, min(most, ROWS)) if suffix == ".parquet" else _lines(path, min(most, LINES))
    if not blocks:
        raise DataError(path, "no examples: the file is empty")
    return blocks


def rows_in(blocks: Sequence[Block], *, names: Sequence[str] | None = None, faults: BadRows = STRICT) -> Iterator[Row]:
    """Yield the rows of blocks of a file; for parquet, only the columns in `names`."""
    for _, group in itertools.groupby(blocks, key=lambda block: block.start):
        adjacent = list(group)
        if adjacent[0].path.lower().endswith(".parquet"):
            yield from _rows_of_group(adjacent, names)
        else:
            yield from _rows_of_lines(adjacent[0], faults)


def _rows_of_lines(block: Block, faults: BadRows) -> Iterator[Row]:
    with open_bytes(block.path) as file:
        file.seek(block.start)
        for number in range(block.first, block.first + block.rows):
            try:
                row = row_of_line(block.path, number, decoded(block.path, number, file.readline(MAX_LINE + 1)))
            except DataError as error:
                faults.take(error)
                continue
            if row is not None:
                yield row


def _lines(path: str | Path, most: int) -> list[Block]:
    blocks: list[Block] = []
    start = at = rows = 0
    first = 1
    with open_bytes(path) as file:
        while line := file.readline(MAX_LINE + 1):
            if len(line) > MAX_LINE:
                raise DataError(path, f"the line is longer than {MAX_LINE // 2**20} MiB", line=first + rows)
            at += len(line)
            rows += 1
            if rows == most:
                blocks.append(Block(str(path), start, first, rows))
                start, first, rows = at, first + rows, 0
    return [*blocks, Block(str(path), start, first, rows)] if rows else blocks


def _row_groups(path: str | Path, most: int) -> list[Block]:
    blocks, first = [], 1
    with _parquet(path) as file:
        check_column_names(path, file.schema_arrow.names)
        for i in range(file.metadata.num_row_groups):
            rows = file.metadata.row_group(i).num_rows
            cuts = range(0, rows, most)
            blocks += [Block(str(path), i, first + skip, min(most, rows - skip), skip) for skip in cuts]
            first += rows
    return blocks


def _rows_of_group(blocks: Sequence[Block], names: Sequence[str] | None) -> Iterator[Row]:
    """Yield the rows of blocks of one row group in one pass: a row group is always read from its start."""
    path, number = blocks[0].path, blocks[0].first - blocks[0].skip
    stop = blocks[-1].first + blocks[-1].rows
    with _parquet(path) as file:
        batches = file.iter_batches(batch_size=SLICE, row_groups=[blocks[0].start], columns=names)
        while number < stop and (batch := _next(path, batches, number)) is not None:
            for block in blocks:
                start, end = max(block.first - number, 0), min(block.first + block.rows - number, batch.num_rows)
                if start < end:
                    values = batch.slice(start, end - start).to_pylist()
                    yield from map(Row, values, itertools.count(number + start))
            number += batch.num_rows


def _next(path: str, batches: Iterator[Any], number: int) -> Any:
    pyarrow = need("pyarrow", feature="Reading parquet", extra="parquet")
    try:
        return next(batches, None)
    except (pyarrow.ArrowException, OSError) as error:
        raise DataError(path, f"damaged after row {number - 1:,}: {error}") from None


def _parquet(path: str | Path) -> Any:
    pyarrow = need("pyarrow", feature="Reading parquet", extra="parquet")
    parquet = need("pyarrow.parquet", feature="Reading parquet", extra="parquet")
    open_bytes(path).close()  # raises if the path itself is wrong
    try:
        # Otherwise Arrow holds the whole compressed row group in memory.
        return parquet.ParquetFile(path, pre_buffer=False, buffer_size=BUFFER)
    except (pyarrow.ArrowException, OSError) as error:
        raise DataError(path, f"not a parquet file, or damaged: {error}") from None
