"""The rows of data that is checked: read leniently, as often as needed, and never changed."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from heedful.data.bad_rows import BadRows
from heedful.data.columns import Columns, guess_columns, has_columns, label_columns, names_in, text_column
from heedful.data.example import Row
from heedful.data.file_form import FileForm
from heedful.data.read import HEAD, JOIN, read_rows
from heedful.data.table import Source, Table
from heedful.errors import DataError, listed

STDIN = "-"


class DataRow(NamedTuple):
    """A row with its text and label as they are checked."""

    number: int  # from 0, over the rows that are not blank
    line: int
    file: str | None
    text: str
    label: str | None
    values: Mapping[str, Any]


@dataclass(frozen=True)
class DataSource:
    """Data with the names of its columns."""

    name: str
    source: Source
    text: str
    label: str | None
    form: FileForm
    notes: tuple[str, ...] = ()
    faults: BadRows = field(default_factory=lambda: BadRows(skip=True))  # of the first pass

    def rows(self, faults: BadRows | None = None) -> Iterator[DataRow]:
        """Yield each row that is not blank. Rows that cannot be read are counted as faults and left out."""
        names = names_in(self.text, [self.text])
        number = 0
        for row in read_rows(self.source, faults=faults or BadRows(skip=True, form=self.form), is_table=True):
            if any(cell not in ("", None) for cell in row.values.values()):
                names = names if names[0] in row.values else names_in(self.text, row.values)
                yield DataRow(number, row.line, row.file, _text(row, names), self._label_of(row), row.values)
                number += 1

    def _label_of(self, row: Row) -> str | None:
        value = None if self.label is None else row.values.get(self.label)
        return None if value is None or value != value else str(value).strip() or None

    def texts_of(self, indexes: Collection[int]) -> dict[int, DataRow]:
        """Return some rows, read again."""
        wanted: dict[int, DataRow] = {}
        if indexes:
            last = max(indexes)
            for row in self.rows():
                if row.number in indexes:
                    wanted[row.number] = row._replace(values={})
                if row.number >= last:
                    break
        return wanted


def _text(row: Row, names: list[str]) -> str:
    cells = [row.values.get(name) for name in names]
    return JOIN.join("" if cell is None or cell != cell else str(cell) for cell in cells)


def open_data(
    source: Source, asked: Columns, *, hints: Columns | None = None, form: FileForm | None = None
) -> DataSource:
    """Return data with its columns: as asked, or detected. Data without labels can be checked, too."""
    form = form or FileForm()
    if not isinstance(source, Table) and str(source) == STDIN:
        source = _held(form)
    if isinstance(source, Table):
        asked = Columns(asked.text or source.text, asked.label or source.label)
    faults = BadRows(skip=True, form=form)
    head = list(itertools.islice(read_rows(source, faults=faults, is_table=True), HEAD))
    if not head:
        raise DataError(
            source, faults.first[0] if faults.first else "no rows: the file is empty, or has only column names"
        )
    text, label, notes = _columns(source, head, asked, hints or Columns())
    name = str(source) if isinstance(source, Table) else Path(source).name
    return DataSource(name, source, text, label, form, notes, BadRows(skip=True, form=form))


def _columns(
    source: Source, head: list[Row], asked: Columns, hints: Columns
) -> tuple[str, str | None, tuple[str, ...]]:
    names = list(head[0].values)
    hints = Columns(*(hint if has_columns(names, hint) else None for hint in hints))
    if many := label_columns(source, names, asked.label or hints.label):
        rest = [name for name in names if name not in many]
        note = "Labels are not judged: several yes-or-no labels for each row are not supported yet."
        return text_column(source, rest, asked.text or hints.text), None, (note,)
    try:
        return (*guess_columns(source, [row.values for row in head], asked, hints), ())
    except DataError:
        if asked.label is not None or not (text := _text_alone(source, names, asked.text or hints.text)):
            raise
        others = listed(name for name in names if name not in names_in(text, names))
        note = f"Labels are not judged: it is not clear which column has them ({others}). Set label (--label)."
        return text, None, (note if len(names) > 1 else "Labels are not judged: there is only one column.",)


def _text_alone(source: Source, names: list[str], asked: str | None) -> str:
    """Return the text column of data whose label column is not known, or "" if that is not known either."""
    try:
        return text_column(source, names, asked)
    except DataError:
        return ""


def _held(form: FileForm) -> Table:
    """Return standard input as a table: it can be read only once."""
    rows = list(read_rows(STDIN, faults=BadRows(skip=True, form=form), is_table=True))
    return Table("standard input", lambda: (row.values for row in rows))
