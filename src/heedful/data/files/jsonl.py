"""JSON lines: one object per line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.example import Row
from heedful.data.file_form import FileFacts
from heedful.data.files.lines import read_lines
from heedful.errors import DataError
from heedful.files.unicode import whole_value


def read_jsonl(path: str | Path, faults: BadRows = STRICT, facts: FileFacts | None = None) -> Iterator[Row]:
    """Yield the objects of a JSON-lines file; blank lines are skipped."""
    for number, text in read_lines(path, faults.form, facts):
        try:
            row = row_of_line(path, number, text)
        except DataError as error:
            faults.take(error)
            continue
        if row is not None:
            yield row


def row_of_line(path: str | Path, number: int, text: str) -> Row | None:
    """Return the object of a line, or None for a blank line."""
    if not text.strip():
        return None
    value = _object(path, number, text)
    return Row(whole_value(value) if "\\ud" in text.lower() else value, number)


def _object(path: str | Path, number: int, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text.rstrip())
    except json.JSONDecodeError as error:
        raise DataError(path, f"not JSON: {error.msg} (column {error.colno})", line=number) from None
    except ValueError as error:  # a number of thousands of digits
        raise DataError(path, f"unreadable JSON: {error}", line=number) from None
    except RecursionError:
        raise DataError(path, "the JSON is nested too deeply", line=number) from None
    if not isinstance(value, dict):
        raise DataError(path, f'found {type(value).__name__}, expected an object such as {{"text": …}}', line=number)
    return value
