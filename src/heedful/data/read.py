"""Reading any supported file as a stream of rows, texts or examples."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.columns import Columns, both_columns, input_column, label_columns, text_column
from heedful.data.example import Example, Row
from heedful.data.files.csv_tsv import read_csv, read_tsv, read_txt
from heedful.data.files.jsonl import read_jsonl
from heedful.data.files.parquet import read_parquet
from heedful.errors import DataError, listed
from heedful.inputs import INPUTS

YES_OR_NO = {
    "": "", "1": "1", "1.0": "1", "true": "1", "yes": "1", "0": "0", "0.0": "0", "false": "0", "no": "0",
}  # fmt: skip

LARGEST = 1e38  # of the numbers to predict: a network calculates with 32 bits

READERS: dict[str, Callable[[str | Path, BadRows], Iterator[Row]]] = {
    ".csv": read_csv,
    ".tsv": read_tsv,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".parquet": lambda path, _: read_parquet(path),
    ".txt": lambda path, _: read_txt(path),
}


# File types that cannot be read, and how to convert them.
_SPREADSHEET = " Save the sheet as CSV UTF-8, with commas"
OTHERS = {
    ".xlsx": _SPREADSHEET,
    ".xls": _SPREADSHEET,
    ".ods": _SPREADSHEET,
    ".json": " Convert an array of objects to JSON lines: jq -c '.[]' FILE > FILE.jsonl",
}


def read_rows(path: str | Path, *, faults: BadRows = STRICT) -> Iterator[Row]:
    """Yield the rows of a file; its extension decides the format, and `-` reads lines from standard input."""
    if str(path) == "-":
        return read_txt(path)
    name = Path(path).name.removesuffix(".gz")
    reader = READERS.get(Path(name).suffix.lower())
    if reader is None:
        endings = ", ".join(READERS)
        hint = OTHERS.get(Path(name).suffix.lower(), "")
        problem = f"unknown file extension. Known extensions: {endings}, each also with .gz"
        raise DataError(path, f"{problem}.{hint}" if hint else problem)
    return reader(path, faults)


def read_texts(
    path: str | Path,
    *,
    text: str | None = None,
    hint: str | None = None,
    kind: str = "text",
    faults: BadRows = STRICT,
) -> Iterator[tuple[Row, str]]:
    """Yield each row with its text, or its cell for another kind of input, without holding the file in memory.

    `text` names the column; `hint` names it if the file has such a column.
    """
    name: str | None = None
    for row in read_rows(path, faults=faults):
        if name is None:
            likely = hint if hint in row.values else input_column(list(row.values), kind)
            name = text_column(path, list(row.values), text or likely)
        try:
            yield row, _source(path, row, name, kind)
        except DataError as error:
            faults.take(error)


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
    path: str | Path,
    asked: Columns,
    *,
    hints: Columns | None = None,
    numbers: bool = False,
    kind: str = "text",
    faults: BadRows = STRICT,
) -> tuple[list[Example], Columns]:
    """Read a file of labelled inputs, and return them with the names of their columns.

    With `numbers`, a label must be a number. If the label names several columns, separated by commas, the task is
    multilabel, and each cell is 1, 0 or empty.
    """
    rows = read_rows(path, faults=faults)
    first = next(rows, None)
    if first is None:
        raise DataError(path, "no examples: the file is empty, or has nothing after the column names")
    names, hints = list(first.values), hints or Columns()
    hints = hints._replace(text=hints.text if hints.text in names else input_column(names, kind))
    if many := label_columns(path, names, asked.label or hints.label):
        rest = [name for name in names if name not in many]
        text, label = text_column(path, rest, asked.text or hints.text), ",".join(many)
    else:
        text, label = both_columns(path, names, asked, hints)
    answer = number_cell if numbers else label_cell
    examples: list[Example] = []
    for row in itertools.chain([first], rows):
        try:
            value = _multilabel(path, row, many) if many else answer(path, row, label)
            examples.append(Example(_source(path, row, text, kind), value, row.line))
        except DataError as error:
            faults.take(error)
    return examples, Columns(text, label)


def _source(path: str | Path, row: Row, name: str, kind: str) -> str:
    """Return the text of a row; a path is relative to the folder of the file."""
    value = text_cell(path, row, name)
    return str(Path(path).parent / value) if INPUTS[kind].is_path else value


def _multilabel(path: str | Path, row: Row, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(_yes_or_no(path, row, name) for name in names)


def _yes_or_no(path: str | Path, row: Row, name: str) -> str:
    value = _cell(path, row, name)
    plain = "" if value is None or value != value else str(value).strip().lower()
    if plain not in YES_OR_NO:
        raise DataError(path, f"{name} is {plain!r:.40}, expected 1, 0 or nothing", line=row.line)
    return YES_OR_NO[plain]


def text_cell(path: str | Path, row: Row, name: str) -> str:
    """Return the text in a column of a row."""
    value = _cell(path, row, name)
    if not isinstance(value, str):
        raise DataError(path, f"{name:.60} is {value!r:.60}, expected a text", line=row.line)
    return value


def label_cell(path: str | Path, row: Row, name: str) -> str:
    """Return the label in a column of a row, stripped."""
    value = _cell(path, row, name)
    if isinstance(value, (dict, list)):
        raise DataError(path, f"{name} is a {type(value).__name__}, expected one label", line=row.line)
    label = (
        "" if value is None or value != value else str(value).strip()
    )  # NaN, which is not equal to itself, is not a label
    if not label:
        raise DataError(path, f"{name} is empty, expected a label", line=row.line)
    return label


def number_cell(path: str | Path, row: Row, name: str) -> str:
    """Return the number in a column of a row, as it is written there."""
    label = label_cell(path, row, name)
    if (wrong := wrong_number(label)) is not None:
        raise DataError(path, f"{name:.60} is {label!r:.40}, expected {wrong}", line=row.line)
    return label


def wrong_number(label: str) -> str | None:
    """Return what was expected if a label is not a number, or too large to be squared; else None."""
    try:
        value = float(label)
    except ValueError:
        return "a number"
    if not math.isfinite(value):
        return "a number"
    return None if abs(value) <= LARGEST else f"a number between {-LARGEST:g} and {LARGEST:g}"


def _cell(path: str | Path, row: Row, name: str) -> Any:
    if name not in row.values:
        raise DataError(path, f"no {name!r:.60} here; found {listed(row.values)}", line=row.line)
    return row.values[name]
