"""Reading any supported file as a stream of rows, texts or examples."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.columns import (
    Columns,
    guess_columns,
    has_columns,
    input_column,
    label_columns,
    names_in,
    text_column,
)
from heedful.data.example import Example, Row
from heedful.data.files.rows import READERS, read_rows
from heedful.data.table import Source, folder_of
from heedful.errors import DataError, listed
from heedful.inputs import INPUTS

YES_OR_NO = {
    "": "", "1": "1", "1.0": "1", "true": "1", "yes": "1", "0": "0", "0.0": "0", "false": "0", "no": "0",
}  # fmt: skip

LARGEST = 1e38  # of the numbers to predict: a network calculates with 32 bits

JOIN = "\n"  # between the texts of several columns
HEAD = 200  # rows by which columns are guessed

__all__ = ["READERS", "read_rows"]  # of files/rows.py, and the names below


def read_texts(
    path: Source,
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
    for row in read_rows(path, faults=faults, is_table=text is not None):
        if name is None:
            likely = hint if has_columns(row.values, hint) else input_column(list(row.values), kind)
            name = text_column(path, list(row.values), text or likely)
        try:
            yield row, _source(path, row, name, kind)
        except DataError as error:
            faults.take(error)


def read_examples(
    path: Source,
    *,
    text: str | None = None,
    label: str | None = None,
    hints: Columns | None = None,
    numbers: bool = False,
) -> list[Example]:
    """Read a file of labelled texts."""
    return read_labelled(path, Columns(text, label), hints=hints, numbers=numbers)[0]


def read_labelled(
    path: Source,
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
    rows = read_rows(path, faults=faults, is_table=True)
    return examples_of(path, rows, asked, hints=hints, numbers=numbers, kind=kind, faults=faults)


def examples_of(
    path: Source,
    rows: Iterator[Row],
    asked: Columns,
    *,
    hints: Columns | None = None,
    numbers: bool = False,
    kind: str = "text",
    faults: BadRows = STRICT,
) -> tuple[list[Example], Columns]:
    """Return rows as labelled inputs, with the names of their columns; `path` names their source in errors."""
    head = list(itertools.islice(rows, HEAD))
    if not head:
        raise DataError(path, "no examples: the file is empty, or has nothing after the column names")
    names, hints = list(head[0].values), hints or Columns()
    hints = hints._replace(text=hints.text if has_columns(names, hints.text) else input_column(names, kind))
    if many := label_columns(path, names, asked.label or hints.label):
        rest = [name for name in names if name not in many]
        text, label = text_column(path, rest, asked.text or hints.text), ",".join(many)
    else:
        text, label = guess_columns(path, [row.values for row in head], asked, hints)
    answer = number_cell if numbers else label_cell
    examples: list[Example] = []
    for row in itertools.chain(head, rows):
        if not any(cell not in ("", None) for cell in row.values.values()):
            continue  # a spreadsheet may leave rows without any content
        try:
            value = _multilabel(path, row, many) if many else answer(path, row, label)
            examples.append(Example(_source(path, row, text, kind), value, row.line))
        except DataError as error:
            faults.take(error)
    faults.add_columns(str(path), text, label)
    return examples, Columns(text, label)


def _source(path: Source, row: Row, name: str, kind: str) -> str:
    """Return the text of a row; a path is relative to the folder of the file."""
    value = text_cell(path, row, name)
    return str(folder_of(row.file or path) / value) if INPUTS[kind].is_path else value


def _multilabel(path: Source, row: Row, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(_yes_or_no(path, row, name) for name in names)


def _yes_or_no(path: Source, row: Row, name: str) -> str:
    value = _cell(path, row, name)
    plain = "" if value is None or value != value else str(value).strip().lower()
    if plain not in YES_OR_NO:
        raise DataError(row.file or path, f"{name} is {plain!r:.40}, expected 1, 0 or nothing", line=row.line)
    return YES_OR_NO[plain]


def text_cell(path: Source, row: Row, name: str) -> str:
    """Return the text in a column of a row; the texts of several columns, separated by commas, are joined."""
    if len(names := names_in(name, row.values)) > 1:
        cells = [_cell(path, row, each) for each in names]
        parts = ["" if cell is None else cell for cell in cells]
        if not all(isinstance(part, str) for part in parts):
            raise DataError(row.file or path, f"{name:.60} is {cells!r:.60}, expected texts", line=row.line)
        return JOIN.join(part for part in parts if part.strip())
    value = _cell(path, row, name)
    if not isinstance(value, str):
        raise DataError(row.file or path, f"{name:.60} is {value!r:.60}, expected a text", line=row.line)
    return value


def label_cell(path: Source, row: Row, name: str) -> str:
    """Return the label in a column of a row, stripped."""
    value = _cell(path, row, name)
    if isinstance(value, (dict, list)):
        raise DataError(row.file or path, f"{name} is a {type(value).__name__}, expected one label", line=row.line)
    label = (
        "" if value is None or value != value else str(value).strip()
    )  # NaN, which is not equal to itself, is not a label
    if not label:
        raise DataError(row.file or path, f"{name} is empty, expected a label", line=row.line)
    return label


def number_cell(path: Source, row: Row, name: str) -> str:
    """Return the number in a column of a row, as it is written there."""
    label = label_cell(path, row, name)
    if (wrong := wrong_number(label)) is not None:
        raise DataError(row.file or path, f"{name:.60} is {label!r:.40}, expected {wrong}", line=row.line)
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


def _cell(path: Source, row: Row, name: str) -> Any:
    if name not in row.values:
        raise DataError(row.file or path, f"no {name!r:.60} here; found {listed(row.values)}", line=row.line)
    return row.values[name]
