"""JSON lines: one object a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from heedful.data.example import Row
from heedful.data.lines import read_lines
from heedful.errors import DataError

_HALF_PAIR = re.compile("[\ud800-\udfff]")


def read_jsonl(path: str | Path) -> Iterator[Row]:
    """Yield the objects of a JSON-lines file; blank lines are passed over."""
    for number, text in read_lines(path):
        if not text.strip():
            continue
        try:
            value = json.loads(text.rstrip())
        except json.JSONDecodeError as error:
            raise DataError(path, f"not JSON: {error.msg} (column {error.colno})", line=number) from None
        except ValueError as error:  # a number of thousands of digits
            raise DataError(path, f"not JSON that can be read: {error}", line=number) from None
        except RecursionError:
            raise DataError(path, "the JSON is nested too deeply", line=number) from None
        if not isinstance(value, dict):
            raise DataError(
                path, f'found {type(value).__name__}, expected an object such as {{"text": …}}', line=number
            )
        yield Row({name: _whole(cell) for name, cell in value.items()}, number)


def _whole(cell: Any) -> Any:
    """Put U+FFFD for half a surrogate pair, which JSON can spell but no file can hold."""
    return _HALF_PAIR.sub("\ufffd", cell) if isinstance(cell, str) and not cell.isascii() else cell
