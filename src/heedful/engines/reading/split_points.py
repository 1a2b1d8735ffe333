"""Split points of large files: between lines, records or rows."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO

import numpy as np

from heedful.data.files.csv_tsv import MAX_FIELD

BLOCK = 8 * 2**20
MOST_BYTES = 64 * 2**20  # per part


@dataclass(frozen=True)
class Cut:
    """A range of a file, in bytes or, for parquet, in rows; `stop` is None for a whole file."""

    start: int
    stop: int | None
    row: int  # number of the first line or, for parquet, row, from 1
    rows: int | None  # approximate number of rows, if known


WHOLE = Cut(0, None, 1, None)


def cut_lines(file: IO[bytes], part_rows: int) -> list[Cut]:
    """Split into ranges of `part_rows` lines, fewer if lines are long."""
    cuts: list[Cut] = []
    start, at, row, waiting, ends_open = 0, 0, 1, 0, False
    while block := file.read(BLOCK):
        ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")) + (at + 1)
        first = 0
        while True:
            full = first + part_rows - waiting - 1
            long = max(first, int(np.searchsorted(ends, start + MOST_BYTES)))
            last = min(full, long)
            if last >= len(ends):
                waiting += len(ends) - first
                break
            stop, rows = int(ends[last]), waiting + last - first + 1
            cuts.append(Cut(start, stop, row, rows))
            start, row, first, waiting = stop, row + rows, last + 1, 0
        at += len(block)
        ends_open = not block.endswith(b"\n")
    if at > start:
        cuts.append(Cut(start, at, row, waiting + ends_open))
    return cuts


def cut_csv(file: IO[bytes], part_rows: int) -> tuple[list[Cut], str | None]:
    """Split into ranges of `part_rows` records; also return the error if the rest cannot be parsed.

    Only a parser knows which line breaks are quoted. CSV syntax is ASCII, so any ASCII-compatible decoding works.
    """
    csv.field_size_limit(MAX_FIELD)
    fed, cuts, fault = 0, [], None

    def lines() -> Iterator[str]:
        nonlocal fed
        for raw in file:
            fed += len(raw)
            yield raw.decode("latin-1")

    reader = csv.reader(lines(), strict=True)
    start, row, rows, end, line = 0, 1, 0, 0, 1
    try:
        for _ in reader:
            rows, end, line = rows + 1, fed, reader.line_num + 1
            if rows == part_rows or end - start >= MOST_BYTES:
                cuts.append(Cut(start, end, row, rows))
                start, row, rows = end, line, 0
    except csv.Error as error:
        fault = f"unreadable from line {line} on: {error}. Is a quote opened here and never closed?"
    if end > start:
        cuts.append(Cut(start, end, row, rows))
    return cuts, fault


def cut_groups(sizes: Sequence[int], part_rows: int) -> list[Cut]:
    """Split into ranges of rows: small row groups are merged, large ones split evenly."""
    cuts: list[Cut] = []
    start, waiting = 0, 0
    for size in sizes:
        if waiting and waiting + size > part_rows:
            cuts.append(Cut(start, start + waiting, start + 1, waiting))
            start, waiting = start + waiting, 0
        if size > part_rows:
            for share in even(size, part_rows):
                cuts.append(Cut(start, start + share, start + 1, share))
                start += share
        else:
            waiting += size
    if waiting:
        cuts.append(Cut(start, start + waiting, start + 1, waiting))
    return cuts


def even(size: int, most: int) -> list[int]:
    """Return the sizes of the fewest parts of at most `most`, as even as possible."""
    n = -(-size // most)
    return [size // n + (i < size % n) for i in range(n)]
