"""Files in which each row has two texts and one answer."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from heedful.config import Config
from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.columns import LABEL_NAMES, Columns, no_such_column
from heedful.data.example import Example, Row, TwoTexts
from heedful.data.read import label_cell, number_cell, read_rows, text_cell
from heedful.data.table import Source
from heedful.errors import DataError, listed

TWO_NAMES = (
    ("premise", "hypothesis"), ("sentence1", "sentence2"), ("sentence_1", "sentence_2"), ("sentence_a", "sentence_b"),
    ("text1", "text2"), ("text_1", "text_2"), ("text_a", "text_b"), ("question1", "question2"), ("first", "second"),
    ("a", "b"),
)  # fmt: skip
ANSWER_NAMES = (*LABEL_NAMES, "score", "similarity", "relatedness", "gold_label")
HOW = "Set data.text to FIRST,SECOND"
READS_TABLES = True  # in memory, as well as files


class TwoColumns(NamedTuple):
    """Names of the columns of the two texts."""

    first: str
    second: str

    @property
    def setting(self) -> str:
        """Both, as the setting `text` names them."""
        return f"{self.first},{self.second}"


def read_task_file(
    path: Source, config: Config, *, asked: Columns, hints: Columns | None = None, faults: BadRows = STRICT
) -> tuple[list[Example], Columns]:
    """Read a file of pairs with their labels, or numbers, and say which columns they stood in."""
    return read_pairs(path, asked, hints=hints, numbers=config.data.answer == "number", faults=faults)


def read_pairs(
    path: Source,
    asked: Columns,
    *,
    hints: Columns | None = None,
    numbers: bool = False,
    faults: BadRows = STRICT,
) -> tuple[list[Example], Columns]:
    """Read pairs of texts with their answers; with `numbers`, an answer must be one."""
    rows = read_rows(path, faults=faults, is_table=True)
    first = next(rows, None)
    if first is None:
        raise DataError(path, "no pairs: the file is empty, or has nothing after the column names")
    names, hints = list(first.values), hints or Columns()
    label = asked.label or (hints.label if hints.label in names else None)
    two = two_columns(path, names, asked.text, hint=hints.text, label=label)
    label = _answer_column(path, names, two, label)
    answer = number_cell if numbers else label_cell
    examples: list[Example] = []
    for row in itertools.chain([first], rows):
        try:
            examples.append(Example(_texts(path, row, two), answer(path, row, label), row.line))
        except DataError as error:
            faults.take(error)
    faults.add_columns(str(path), two.setting, label)
    return examples, Columns(two.setting, label)


def read_sources(
    path: Source, config: Config, *, asked: Columns, faults: BadRows = STRICT
) -> Iterator[tuple[Row, TwoTexts]]:
    """Yield each row with its two texts, without holding the file in memory."""
    two: TwoColumns | None = None
    for row in read_rows(path, faults=faults, is_table=True):
        if two is None:
            two = two_columns(path, list(row.values), asked.text, hint=config.data.text, label=config.data.label)
        try:
            yield row, _texts(path, row, two)
        except DataError as error:
            faults.take(error)


def two_columns(
    path: Source, columns: Sequence[str], asked: str | None, *, hint: str | None = None, label: str | None = None
) -> TwoColumns:
    """Return the columns of the two texts: as asked, as hinted if both exist, or by unambiguous names.

    `asked` and `hint` are two names, separated by a comma.
    """
    if asked is not None:
        return _named(path, columns, asked, label)
    if hint is not None and len(split_names(hint)) == 2 and all(name in columns for name in split_names(hint)):
        return TwoColumns(*split_names(hint))
    lower = {name.lower(): name for name in columns if name != label}
    candidates = [TwoColumns(lower[a], lower[b]) for a, b in TWO_NAMES if a in lower and b in lower]
    if len(candidates) == 1:
        return candidates[0]
    if not candidates and len(lower) == 2:
        return TwoColumns(*lower.values())
    doubt = f"{' and '.join(two.setting for two in candidates)} could both be" if candidates else "none are plainly"
    raise DataError(
        path,
        f"which columns are the two texts? The columns are {listed(columns)}; {doubt} the two texts. {HOW}",
    )


def split_names(setting: str) -> list[str]:
    """Return the names in a setting that names several columns."""
    return [name.strip() for name in setting.split(",")]


def _named(path: Source, columns: Sequence[str], asked: str, label: str | None) -> TwoColumns:
    names = split_names(asked)
    if len(names) != 2:
        raise DataError(
            path, f"data.text names {len(names)} column{'s' * (len(names) != 1)} ({asked}), a pair has two. {HOW}"
        )
    for name in names:
        if name not in columns:
            raise no_such_column(path, columns, name, setting="text")
        if name == label:
            raise DataError(path, f"column {name!r} cannot be both a text and the label")
    if names[0] == names[1]:
        raise DataError(path, f"column {names[0]!r} cannot be both texts of a pair. {HOW}")
    return TwoColumns(*names)


def _answer_column(path: Source, columns: Sequence[str], two: TwoColumns, asked: str | None) -> str:
    if asked is not None:
        if asked not in columns:
            raise no_such_column(path, columns, asked, setting="label")
        return asked
    rest = [name for name in columns if name not in two]
    candidates = [name for name in rest if name.lower() in ANSWER_NAMES]
    if len(rest) == 1 or len(candidates) == 1:
        return candidates[0] if candidates else rest[0]
    if not rest:
        raise DataError(path, "there is no column left for the label; expected two texts and a label")
    doubt = f"{' and '.join(candidates)} could each be it" if candidates else "none is plainly it"
    raise DataError(
        path, f"which column is the label? The columns are {listed(columns)}; {doubt}. Set data.label to its name"
    )


def _texts(path: Source, row: Row, two: TwoColumns) -> TwoTexts:
    return TwoTexts(text_cell(path, row, two.first), text_cell(path, row, two.second))
