"""CSV (RFC 4180), TSV without quoting, and plain lines."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.columns import header_hint, unique_names
from heedful.data.example import Row
from heedful.data.files.lines import read_lines
from heedful.errors import DataError, listed

MAX_FIELD = 16 * 1024 * 1024  # characters


def read_csv(path: str | Path, faults: BadRows = STRICT) -> Iterator[Row]:
    """Yield the records of a CSV file: quotes may hold commas, doubled quotes and line breaks."""
    csv.field_size_limit(MAX_FIELD)
    lines = (text for _, text in read_lines(path))
    reader = csv.reader(lines, strict=True)
    header: list[str] | None = None
    start = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            raise DataError(path, _csv_problem(error), line=start) from None
        if header is None:
            header = _header(path, cells)
            _check_separator(path, header)
        elif cells or len(header) == 1:  # in a file of one column a blank line is an empty text
            yield from _row(path, header, cells or [""], start, separator="a comma", faults=faults)
        start = reader.line_num + 1
    if header is None:
        raise DataError(path, "the file is empty, expected a first line with column names")


def _csv_problem(error: csv.Error) -> str:
    if "new-line character" in str(error):
        return "an unquoted cell contains a carriage return. Classic Mac line endings? Run: tr '\\r' '\\n' < FILE"
    return f"{error}. Is a quote opened here and never closed?"


def read_tsv(path: str | Path, faults: BadRows = STRICT) -> Iterator[Row]:
    """Yield the records of a TSV file, split on tabs without quoting or escapes."""
    header: list[str] | None = None
    for number, text in read_lines(path):
        cells = text.rstrip("\r\n").split("\t")
        if header is None:
            header = _header(path, cells)
        elif cells != [""]:
            yield from _row(path, header, cells, number, separator="a tab", faults=faults)
    if header is None:
        raise DataError(path, "the file is empty, expected a first line with column names")


def read_txt(path: str | Path) -> Iterator[Row]:
    """Yield each line as a text."""
    for number, text in read_lines(path):
        yield Row({"text": text.rstrip("\r\n")}, number)


def _header(path: str | Path, cells: Sequence[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    if not any(names):
        raise DataError(path, "the first line is empty, expected column names", line=1)
    return unique_names(names)


def _check_separator(path: str | Path, names: Sequence[str]) -> None:
    """Raise for a one-column CSV whose header contains another separator."""
    mark = next((candidate for candidate in ";\t|" if len(names) == 1 and candidate in names[0]), None)
    if mark is not None:
        separator = "a tab" if mark == "\t" else repr(mark)
        raise DataError(
            path,
            f"found 1 column, {names[0]!r:.80}: the separator looks like {separator}, expected a comma. "
            "Save the file with commas, or as .tsv with tabs",
            line=1,
        )


def _row(
    path: str | Path, header: list[str], cells: list[str], line: int, *, separator: str, faults: BadRows
) -> Iterator[Row]:
    """Yield the row if its number of cells matches the header."""
    if len(cells) == len(header):
        yield Row(dict(zip(header, cells, strict=True)), line)
        return
    columns = "column" if len(cells) == 1 else "columns"
    problem = (
        f"found {len(cells)} {columns}, expected {len(header)} ({listed(header)}). Is the separator {separator}?"
        f"{header_hint(header)}"
    )
    faults.take(DataError(path, problem, line=line))
