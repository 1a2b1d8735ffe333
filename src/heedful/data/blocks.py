"""Parts of a large file that can be read by themselves, in any order: lines of JSON, or row groups of parquet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heedful.data.example import Row
from heedful.data.faults import STRICT, Faults
from heedful.data.jsonl import row_of_line
from heedful.data.lines import MAX_LINE, decoded, open_bytes
from heedful.data.parquet import SLICE
from heedful.errors import DataError, need

LINES = 1000  # in a block of JSON lines
ENDINGS = (".jsonl", ".ndjson", ".parquet")


@dataclass(frozen=True)
class Block:
    """A part of a file: bytes from `start` on, or the row group of that number."""

    path: str
    start: int
    first: int  # number of its first line, or row, counted from 1
    rows: int  # lines, with those that are blank; or rows


def blocks_of(path: str | Path) -> list[Block]:
    """Return the parts of a file, having looked at its line ends or its footer only."""
    suffix = Path(path).suffix.lower()
    if suffix not in ENDINGS:
        raise DataError(path, f"cannot be streamed: expected a file that ends in {', '.join(ENDINGS)}")
    found = _row_groups(path) if suffix == ".parquet" else _lines(path)
    if not found:
        raise DataError(path, "no examples: the file is empty")
    return found


def rows_in(block: Block, *, faults: Faults = STRICT) -> Iterator[Row]:
    """Yield the rows of a block."""
    if block.path.lower().endswith(".parquet"):
        yield from _rows_of_group(block)
        return
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


def _lines(path: str | Path) -> list[Block]:
    found: list[Block] = []
    start = at = rows = 0
    first = 1
    with open_bytes(path) as file:
        while line := file.readline(MAX_LINE + 1):
            if len(line) > MAX_LINE:
                raise DataError(path, f"the line is longer than {MAX_LINE // 2**20} MiB", line=first + rows)
            at += len(line)
            rows += 1
            if rows == LINES:
                found.append(Block(str(path), start, first, rows))
                start, first, rows = at, first + rows, 0
    return [*found, Block(str(path), start, first, rows)] if rows else found


def _row_groups(path: str | Path) -> list[Block]:
    found, first = [], 1
    with _parquet(path) as file:
        for i in range(file.metadata.num_row_groups):
            rows = file.metadata.row_group(i).num_rows
            found.append(Block(str(path), i, first, rows))
            first += rows
    return [block for block in found if block.rows]


def _rows_of_group(block: Block) -> Iterator[Row]:
    number = block.first
    with _parquet(block.path) as file:
        for batch in file.iter_batches(batch_size=SLICE, row_groups=[block.start]):
            for values in batch.to_pylist():
                yield Row(values, number)
                number += 1


def _parquet(path: str | Path) -> Any:
    pyarrow = need("pyarrow", feature="Reading parquet", extra="parquet")
    parquet = need("pyarrow.parquet", feature="Reading parquet", extra="parquet")
    open_bytes(path).close()  # says what is wrong with the path itself
    try:
        return parquet.ParquetFile(path)
    except (pyarrow.ArrowException, OSError) as error:
        raise DataError(path, f"not a parquet file, or damaged: {error}") from None
