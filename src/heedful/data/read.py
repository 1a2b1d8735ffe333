"""Any supported file to Rows, and Rows to texts and Examples, as a stream."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from heedful.data.columns import label_column, text_column
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


def read_texts(path: str | Path, *, text: str | None = None) -> Iterator[tuple[Row, str]]:
    """Yield each row with its text, without holding the file in memory."""
    name: str | None = None
    for row in read_rows(path):
        if name is None:
            name = text_column(path, list(row.values), text)
        yield row, _text(path, row, name)


def read_examples(path: str | Path, *, text: str | None = None, label: str | None = None) -> list[Example]:
    """Read a file of labelled texts."""
    rows = read_rows(path)
    first = next(rows, None)
    if first is None:
        raise DataError(path, "no examples: the file is empty, or has nothing after the column names")
    label_name = label_column(path, list(first.values), label, text=text)
    text_name = text_column(path, list(first.values), text, label=label_name)
    return [
        Example(_text(path, row, text_name), _label(path, row, label_name)) for row in itertools.chain([first], rows)
    ]


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


def _cell(path: str | Path, row: Row, name: str) -> Any:
    if name not in row.values:
        raise DataError(path, f"no {name!r} here; found {', '.join(map(str, row.values)) or 'nothing'}", line=row.line)
    return row.values[name]
