"""Rows with a list of tokens and a list of their tags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from heedful.data.bad_rows import BadRows
from heedful.data.example import Row
from heedful.errors import DataError, listed
from heedful.files.unicode import without_lone_surrogates
from heedful.tasks.tag.files.conll import TAG_NAMES, TOKEN_NAMES, UNTAGGED, Tagged


def from_lists(
    path: str | Path, rows: Iterator[Row], tokens: str | None, tags: str | None, need_tags: bool, faults: BadRows
) -> Iterator[Tagged]:
    for row in rows:
        try:
            yield _from_row(path, row, tokens, tags, need_tags)
        except DataError as error:
            faults.take(error)


def _from_row(path: str | Path, row: Row, tokens: str | None, tags: str | None, need_tags: bool) -> Tagged:
    words = _list(path, row, tokens, TOKEN_NAMES, what="tokens")
    if words is None:
        raise DataError(path, f"no list of tokens; found {listed(row.values)}", line=row.line)
    answers = _list(path, row, tags, TAG_NAMES, what="tags")
    if answers is None and need_tags:
        raise DataError(path, f"no list of tags; found {listed(row.values)}", line=row.line)
    if not words:
        raise DataError(path, "the sentence is empty, expected one token or more", line=row.line)
    if answers is not None and len(answers) != len(words):
        counts = f"found {len(words)} tokens and {len(answers)} tags"
        raise DataError(path, f"{counts}, expected one tag for each token", line=row.line)
    return Tagged(tuple(words), tuple(answers or ()), row.line)


def _list(path: str | Path, row: Row, asked: str | None, names: Sequence[str], *, what: str) -> list[str] | None:
    """Return the texts of a list column, or None if the row has no such column."""
    name = asked or next((name for name in row.values if name.lower() in names), None)
    if name is None or (asked is None and row.values[name] is None):
        return None
    if name not in row.values:
        raise DataError(path, f"no {name!r} here; found {listed(row.values)}", line=row.line)
    value: Any = row.values[name]
    if not isinstance(value, list):
        raise DataError(path, f"{name} is {value!r:.40}, expected a list of {what}", line=row.line)
    for i, cell in enumerate(value):
        if what == "tags" and cell is None:
            value = [*value[:i], UNTAGGED, *value[i + 1 :]]
        elif not isinstance(cell, (str, int)) or isinstance(cell, bool) or not str(cell).strip():
            raise DataError(path, f"{name} has {cell!r:.40} at position {i + 1}, expected a text", line=row.line)
    return [without_lone_surrogates(str(cell)) for cell in value]
