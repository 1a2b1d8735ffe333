"""Input rows to batches for the table, each row with its id, text and columns."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heedful.data.example import Row
from heedful.errors import DataError, listed
from heedful.files.unicode import without_lone_surrogates
from heedful.search.about import About
from heedful.search.column_types import TEXT, DoesNotFitError, as_kind, check_name, given_back, kind_of

ID = "id"  # the default id column
MOST_ROWS, MOST_CHARACTERS = 8_192, 8_000_000  # per batch: bounds memory


@dataclass
class RowBatch:
    """Rows by id, in order; a later row with the same id replaces the earlier one."""

    source: str | Path
    rows: dict[str, Row] = field(default_factory=dict)
    hashed_ids: set[str] = field(default_factory=set)  # ids that are hashes: the same id is the same row
    n_read: int = 0
    n_characters: int = 0

    @property
    def is_full(self) -> bool:
        """Whether the batch should be written."""
        return self.n_read >= MOST_ROWS or self.n_characters >= MOST_CHARACTERS

    def add(self, row: Row, about: About) -> None:
        """Add a row."""
        text = row.values.get(about.text)
        if not isinstance(text, str):
            problem = f"{about.text} is {text!r:.60}, expected a text"
            missing = f"no column {about.text!r}, which is the text of the index; found {listed(row.values)}"
            raise DataError(self.source, problem if about.text in row.values else missing, line=row.line)
        name, is_hash = self._id(row, about)
        self.rows.pop(name, None)
        self.rows[name] = row
        if is_hash:
            self.hashed_ids.add(name)
        self.n_read += 1
        self.n_characters += sum(len(value) for value in row.values.values() if isinstance(value, str))

    def _id(self, row: Row, about: About) -> tuple[str, bool]:
        """Return the row's id, and whether it is a hash."""
        column = about.id or ID
        if column not in row.values and about.id is None:
            return row_hash(row.values), True
        value = given_back(row.values.get(column))
        if value is None or str(value).strip() == "" or isinstance(value, (dict, list)):
            raise DataError(self.source, f"{column} is {value!r:.60}, expected an id", line=row.line)
        return without_lone_surrogates(str(value)), False

    def columns(self, about: About, kinds: Mapping[str, str]) -> dict[str, list[Any]]:
        """Return the values of each column, converted to its type."""
        columns: dict[str, list[Any]] = {about.id or ID: list(self.rows)}
        for name, kind in kinds.items():
            if name not in columns:
                columns[name] = [self._value(row, name, kind) for row in self.rows.values()]
        return columns

    def _value(self, row: Row, name: str, kind: str) -> Any:
        try:
            return as_kind(row.values.get(name), kind)
        except DoesNotFitError as error:
            raise DataError(self.source, f"{name} is {error}", line=row.line) from None

    def kinds(self, about: About, known: Mapping[str, str], *, numbers_in_text: bool) -> dict[str, str]:
        """Return the type of every column: the known type, or inferred from this batch."""
        kinds = {**known, about.id or ID: TEXT, about.text: TEXT}
        fresh = dict.fromkeys(name for row in self.rows.values() for name in row.values if name not in kinds)
        for name in fresh:
            check_name(name)
            values = (row.values.get(name) for row in self.rows.values())
            kinds[name] = kind_of(values, numbers_in_text=numbers_in_text)
        return kinds


def batches(rows: Iterable[Mapping[str, Any] | Row], about: About, *, source: str | Path) -> Iterator[RowBatch]:
    """Yield the rows in batches that fit in memory."""
    batch = RowBatch(source)
    for number, row in enumerate(rows, start=1):
        batch.add(row if isinstance(row, Row) else Row(row, number), about)
        if batch.is_full:
            yield batch
            batch = RowBatch(source)
    if batch.rows:
        yield batch


def row_hash(values: Mapping[str, Any]) -> str:
    """Return a hash of the row as its id, so that adding a file again adds no duplicates."""
    content = json.dumps(dict(values), sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()
