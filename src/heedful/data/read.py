"""Any supported file to Rows, and Rows to texts and Examples, as a stream."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from heedful.data.columns import Columns, both_columns, text_column
from heedful.data.delimited import read_csv, read_tsv, read_txt
from heedful.data.example import Example, Row
from heedful.data.jsonl import read_jsonl
from heedful.data.parquet import read_parquet
from heedful.errors import DataError

READERS: dict[str, Callable[[str | Path], Iterator[Row]]] = {
    ".csv": read_csv,
    ".tsv": read_tsv,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".parquet": read_parquet,
    ".txt": read_txt,
}


def read_rows(path: str | Path) -> Iterator[Row]:
    """Yield the rows of a file, by its ending; `-` reads lines from standard input."""
    if str(path) == "-":
        return read_txt(path)
    name = Path(path).name.removesuffix(".gz")
    reader = READERS.get(Path(name).suffix.lower())
    if reader is None:
        endings = ", ".join(READERS)
        raise DataError(path, f"cannot tell its format by its ending. Known endings: {endings}, each also with .gz")
    return reader(path)


def read_texts(path: str | Path, *, text: str | None = None, hint: str | None = None) -> Iterator[tuple[Row, str]]:
    """Yield each row with its text, without holding the file in memory.

    `text` names the column; `hint` names it if there is such a column.
    """
    name: str | None = None
    for row in read_rows(path):
        if name is None:
            name = text_column(path, list(row.values), text or (hint if hint in row.values else None))
        yield row, _text(path, row, name)


def read_examples(
    path: str | Path,
    *,
    text: str | None = None,
    label: str | None = None,
    hints: Columns | None = None,
    numbers: bool = False,
) -> list[Example]:
    """Read a file of labelled texts."""
    return read_labelled(path, Columns(text, label), hints=hints, numbers=numbers)[0]


def read_labelled(
    path: str | Path, asked: Columns, *, hints: Columns | None = None, numbers: bool = False
) -> tuple[list[Example], Columns]:
    """Read a file of labelled texts, and say which columns they stood in; with `numbers`, a label must be one."""
    rows = read_rows(path)
    first = next(rows, None)
    if first is None:
        raise DataError(path, "no examples: the file is empty, or has nothing after the column names")
    text, label = both_columns(path, list(first.values), asked, hints or Columns())
    answer = _number if numbers else _label
    examples = [Example(_text(path, row, text), answer(path, row, label)) for row in itertools.chain([first], rows)]
    return examples, Columns(text, label)


def _text(path: str | Path, row: Row, name: str) -> str:
    value = _cell(path, row, name)
    if not isinstance(value, str):
        raise DataError(path, f"{name} is {value!r}, expected a text", line=row.line)
    return value


def _label(path: str | Path, row: Row, name: str) -> str:
    value = _cell(path, row, name)
    if isinstance(value, (dict, list)):
        raise DataError(path, f"{name} is a {type(value).__name__}, expected one label", line=row.line)
    label = "" if value is None or value != value else str(value).strip()  # NaN, which is not itself, is no label
    if not label:
        raise DataError(path, f"{name} is empty, expected a label", line=row.line)
    return label


def _number(path: str | Path, row: Row, name: str) -> str:
    label = _label(path, row, name)
    try:
        if math.isfinite(float(label)):
            return label
    except ValueError:
        pass
    raise DataError(path, f"{name} is {label!r:.40}, expected a number", line=row.line)


def _cell(path: str | Path, row: Row, name: str) -> Any:
    if name not in row.values:
        raise DataError(path, f"no {name!r} here; found {', '.join(map(str, row.values)) or 'nothing'}", line=row.line)
    return row.values[name]
