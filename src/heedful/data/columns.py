"""The text and label columns of a file: as asked, or detected if they are unambiguous."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from heedful.data.table import Source
from heedful.errors import MOST_NAMES, DataError, did_you_mean, listed
from heedful.inputs import INPUTS

TEXT_NAMES = (
    "text", "sentence", "review", "message", "content", "comment", "body", "question", "tweet", "document",
    "utterance", "post", "description",
)  # fmt: skip
LABEL_NAMES = (
    "label", "class", "category", "target", "topic", "sentiment", "stars", "rating", "intent", "answer", "feeling", "y",
)  # fmt: skip
LONG_NAME, MANY_WORDS = 60, 7  # a column name beyond these is more likely a text
FULL, LONGER, LONGEST_LABEL = 0.2, 2.0, 40  # to guess columns by their content
NO_HEADER = "Is the first line a row of data? If so, set header to false (--no-header)"


class Columns(NamedTuple):
    """Names of the text and the label column, as far as they are known."""

    text: str | None = None
    label: str | None = None


def unique_names(names: Sequence[str]) -> list[str]:
    """Return unique names: `a,b,a` becomes `a_1,b,a_2`, and `a,,` becomes `a,column_2,column_3`.

    Only columns that are used need unique names, so a file may have other columns that share one.
    """
    counts = Counter(names)
    if len(counts) == len(names):
        return list(names)
    taken = {name for name, n in counts.items() if n == 1}
    numbers: Counter[str] = Counter()
    unique = []
    for place, name in enumerate(names, start=1):
        free = name
        while counts[name] > 1 and (free == name or free in taken):
            numbers[name] += 1
            free = f"{name}_{numbers[name]}" if name else f"column_{max(place, numbers[name])}"
        taken.add(free)
        unique.append(free)
    return unique


def check_column_names(path: Source, names: Sequence[str], *, line: int | None = None) -> None:
    """Raise if a column name appears twice: one of the two columns would be lost."""
    twice = sorted(name for name, n in Counter(names).items() if n > 1)
    if twice:
        raise DataError(path, f"column name {twice[0]!r:.60} appears more than once", line=line)


def text_column(path: Source, columns: Sequence[str], asked: str | None, *, label: str | None = None) -> str:
    """Return the name of the text column; several names, separated by commas, for texts that are joined."""
    parts = [] if asked is None else names_in(asked, columns)
    if label in parts:
        raise DataError(path, f"column {label!r} cannot be both the text and the label")
    if parts:
        return ",".join(_named(path, columns, name, setting="text") for name in parts)
    rest = [name for name in columns if name != label]
    if len(rest) == 1:
        return rest[0]
    return _only(path, rest, TEXT_NAMES, setting="text")


def label_column(path: Source, columns: Sequence[str], asked: str | None, *, text: str | None = None) -> str:
    """Return the name of the label column."""
    if asked is not None:
        return _named(path, columns, asked, setting="label")
    if text is not None:
        texts = [_named(path, columns, name, setting="text") for name in names_in(text, columns)]
    else:
        known = [name for name in columns if name.lower() in TEXT_NAMES]
        texts = known if len(known) == 1 else []
    rest = [name for name in columns if name not in texts]
    if len(rest) == 1 and texts:
        return rest[0]
    return _only(path, rest, LABEL_NAMES, setting="label")


def both_columns(path: Source, columns: Sequence[str], asked: Columns, hints: Columns) -> tuple[str, str]:
    """Return the text and label columns: as asked, as hinted if there is such a column, or as detected."""
    text = asked.text or (hints.text if has_columns(columns, hints.text) else None)
    label = asked.label or (hints.label if hints.label in columns else None)
    label_name = label_column(path, columns, label, text=text)
    return text_column(path, columns, text, label=label_name), label_name


def names_in(setting: str, columns: Collection[str]) -> list[str]:
    """Return the names in a setting, separated by commas; a column may itself have a comma in its name."""
    return [setting] if setting in columns else [name.strip() for name in setting.split(",")]


def has_columns(columns: Collection[str], setting: str | None) -> bool:
    """Return whether a file has all columns that a setting names."""
    return setting is not None and all(name in columns for name in names_in(setting, columns))


def guess_columns(path: Source, rows: Sequence[Mapping[str, Any]], asked: Columns, hints: Columns) -> tuple[str, str]:
    """Return the text and label columns: by name if possible, else by the content of the first rows.

    Columns that are almost always empty do not count. Of two others, the one with long texts that rarely repeat is the
    text, the one with few short values the label.
    """
    columns = list(rows[0])
    try:
        return both_columns(path, columns, asked, hints)
    except DataError:
        named = {name for setting in asked if setting for name in names_in(setting, columns)}
        full = [name for name in columns if name in named or not _is_mostly_empty(rows, name)]
        if named <= set(columns):
            if named and len(full) < len(columns):
                return both_columns(path, full, asked, hints)
            if not named and len(full) == 2:
                text, label = sorted(full, key=lambda name: -_mean_length(rows, name))
                if _is_label_like(rows, label) and _mean_length(rows, text) > LONGER * _mean_length(rows, label):
                    return text, label
        raise


def _cells(rows: Sequence[Mapping[str, Any]], name: str) -> list[str]:
    return [str(row.get(name) or "").strip() for row in rows]


def _is_mostly_empty(rows: Sequence[Mapping[str, Any]], name: str) -> bool:
    return sum(map(bool, _cells(rows, name))) < FULL * len(rows)


def _mean_length(rows: Sequence[Mapping[str, Any]], name: str) -> float:
    return sum(map(len, _cells(rows, name))) / len(rows)


def _is_label_like(rows: Sequence[Mapping[str, Any]], name: str) -> bool:
    cells = _cells(rows, name)
    return all(cells) and len(set(cells)) <= len(cells) / 2 and max(map(len, cells)) <= LONGEST_LABEL


def input_column(columns: Sequence[str], kind: str) -> str | None:
    """Return the column of inputs that are not texts, if one has an unambiguous name."""
    by_name = {name.lower(): name for name in reversed(columns)}
    return next((by_name[name] for name in INPUTS[kind].columns if name in by_name), None)


def label_columns(path: Source, columns: Sequence[str], asked: str | None) -> list[str]:
    """Return the label columns of a multilabel task, separated by commas; none if one label is asked for."""
    if asked is None or "," not in asked or asked in columns:
        return []
    return [_named(path, columns, name.strip(), setting="label") for name in asked.split(",")]


def no_such_column(path: Source, columns: Sequence[str], asked: str, *, setting: str) -> DataError:
    """Return the error for a column that does not exist."""
    numbered = [name for name in columns if name.removeprefix(f"{asked}_").isdecimal() and name.startswith(asked)]
    if len(numbered) > 1:
        names = " or ".join(numbered[:2])
        return DataError(path, f"column name {asked!r} appears more than once. Set {setting} to {names}")
    return DataError(
        path,
        f"no column {asked!r:.60} (setting {setting}). The columns are {listed(columns)}.{did_you_mean(asked, columns)}"
        f"{header_hint(columns)}",
    )


def header_hint(columns: Sequence[str]) -> str:
    """Return a hint if the column names look like a row of data, else an empty string."""
    strange = [name for name in columns if len(name) > LONG_NAME or len(name.split()) > MANY_WORDS or is_number(name)]
    return f" {NO_HEADER}" if strange else ""


def is_number(name: str) -> bool:
    """Return whether a cell is a number."""
    try:
        float(name)
    except ValueError:
        return False
    return True


def _named(path: Source, columns: Sequence[str], asked: str, *, setting: str) -> str:
    if asked not in columns:
        raise no_such_column(path, columns, asked, setting=setting)
    return asked


def _only(path: Source, columns: Sequence[str], names: Sequence[str], *, setting: str) -> str:
    """Return the only column with one of these names; `setting` is text or label."""
    candidates = [name for name in columns if name.lower() in names]
    if len(candidates) == 1 or (candidates and names[0] in candidates):  # "text" and "label" are unambiguous
        return names[0] if names[0] in candidates else candidates[0]
    if not columns:
        raise DataError(path, f"no column is left for the {setting}; expected one for the text and one for the label")
    doubt = f"{' and '.join(candidates[:MOST_NAMES])} could both be" if candidates else "none is clearly"
    raise DataError(
        path,
        f"which column is the {setting}? The columns are {listed(columns)}; {doubt} the {setting}. "
        f"Set {setting} to the name of the column"
        f"{'.' if (hint := header_hint(columns)) else ''}{hint}",
    )
