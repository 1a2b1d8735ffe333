"""CSV (RFC 4180), TSV without quoting, and plain lines."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.columns import header_hint, unique_names
from heedful.data.example import Row
from heedful.data.file_form import FileFacts, name_of_separator
from heedful.data.files.lines import read_lines
from heedful.data.files.table_shape import detect_separator, looks_like_data, records_of, take_head
from heedful.errors import DataError, listed

MAX_FIELD = 16 * 1024 * 1024  # characters
EMPTY = "the file is empty, expected a first line with column names"


def read_csv(path: str | Path, faults: BadRows = STRICT, facts: FileFacts | None = None) -> Iterator[Row]:
    """Yield the records of a CSV file: quotes may hold separators, doubled quotes and line breaks.

    The separator is detected if the form does not name it.
    """
    csv.field_size_limit(MAX_FIELD)
    facts = facts if facts is not None else FileFacts()
    lines = (text for _, text in read_lines(path, faults.form, facts))
    head = take_head(lines)
    facts.sep = faults.form.sep or detect_separator(head)
    yield from _records(path, faults, facts, head, lines)


def _records(
    path: str | Path, faults: BadRows, facts: FileFacts, head: list[str], lines: Iterator[str]
) -> Iterator[Row]:
    """Yield the records of lines, the first of which have been read."""
    sep = facts.sep or ","
    table = Table(path, faults, facts, records_of(head, sep))
    reader = csv.reader(itertools.chain(head, lines), delimiter=sep, strict=True)
    start = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            raise DataError(path, _csv_problem(error), line=start) from None
        yield from table.rows(cells, start)
        start = reader.line_num + 1
    table.check_not_empty()


def _csv_problem(error: csv.Error) -> str:
    if "new-line character" in str(error):
        return "an unquoted cell contains a carriage return. Classic Mac line endings? Run: tr '\\r' '\\n' < FILE"
    return f"{error}. Is a quote opened here and never closed?"


def read_tsv(path: str | Path, faults: BadRows = STRICT, facts: FileFacts | None = None) -> Iterator[Row]:
    """Yield the records of a TSV file, split on tabs without quoting or escapes.

    A first line without a tab that has another separator is one of a CSV file.
    """
    facts = facts if facts is not None else FileFacts()
    lines = (text for _, text in read_lines(path, faults.form, facts))
    head = take_head(lines)
    facts.sep = faults.form.sep or detect_separator(head, first="\t")
    if facts.sep != "\t":
        csv.field_size_limit(MAX_FIELD)
        yield from _records(path, faults, facts, head, lines)
        return
    table = Table(path, faults, facts, [_cells(text) for text in head])
    for number, text in enumerate(itertools.chain(head, lines), start=1):
        cells = _cells(text)
        yield from table.rows(cells if cells != [""] or number == 1 else [], number)
    table.check_not_empty()


def read_txt(path: str | Path, faults: BadRows = STRICT, facts: FileFacts | None = None) -> Iterator[Row]:
    """Yield each line as a text; with a separator, the file is a table."""
    if faults.form.sep is not None and str(path) != "-":
        yield from (read_tsv if faults.form.sep == "\t" else read_csv)(path, faults, facts)
        return
    for number, text in read_lines(path, faults.form, facts):
        yield Row({"text": text.rstrip("\r\n")}, number)


class Table:
    """Turns the records of a file into rows."""

    def __init__(self, path: str | Path, faults: BadRows, facts: FileFacts, head: Sequence[Sequence[str]]) -> None:
        self._path, self._faults, self._facts, self._head = path, faults, facts, head
        self._header: list[str] | None = None

    def rows(self, cells: list[str], line: int) -> Iterator[Row]:
        """Yield the row of a record, if it is one: blank lines and the header are not."""
        if self._header is None and self._take_header(cells):
            return
        if cells or len(self._names) == 1:  # in a file of one column a blank line is an empty text
            yield from self._row(cells or [""], line)

    def check_not_empty(self) -> None:
        """Raise if there was no first line."""
        if self._header is None:
            raise DataError(self._path, EMPTY)

    @property
    def _names(self) -> list[str]:
        assert self._header is not None
        return self._header

    def _take_header(self, cells: list[str]) -> bool:
        """Return whether the first record has the column names; without names, columns are numbered."""
        form = self._faults.form
        if form.header is False:
            self._header = [f"column_{i}" for i in range(1, len(cells) + 1)]
            self._facts.has_header, self._facts.columns = False, self._header
            return False
        names = [cell.strip() for cell in cells]
        if not any(names):
            raise DataError(self._path, "the first line is empty, expected column names", line=1)
        is_asked_for = form.header or any(name in form.columns for name in names)
        if not is_asked_for and looks_like_data(cells, self._head[1:]):
            raise DataError(
                self._path,
                f"is the first line a row of data? It has {listed(names)}, expected column names such as text, label. "
                "Set header to false (--no-header) if it is data, to true (--header) if these are the names",
                line=1,
            )
        self._header = self._facts.columns = unique_names(names)
        return True

    def _row(self, cells: list[str], line: int) -> Iterator[Row]:
        """Yield the row if its number of cells matches the header; further cells may be empty."""
        n = len(self._names)
        if len(cells) > n and not any(map(str.strip, cells[n:])):
            cells = cells[:n]
        if len(cells) == n:
            yield Row(dict(zip(self._names, cells, strict=True)), line)
            return
        columns = "column" if len(cells) == 1 else "columns"
        separator = {",": "a comma", "\t": "a tab"}.get(
            self._facts.sep or "", name_of_separator(self._facts.sep or ",")
        )
        problem = (
            f"found {len(cells)} {columns}, expected {n} ({listed(self._names)}). Is the separator {separator}?"
            f"{header_hint(self._names)}"
        )
        self._faults.take(DataError(self._path, problem, line=line))


def _cells(text: str) -> list[str]:
    return text.rstrip("\r\n").split("\t")
