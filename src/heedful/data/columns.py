"""Which column is the text, which is the label: as told, or found where there is no doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from heedful.errors import MOST_NAMES, DataError, did_you_mean, listed
from heedful.inputs import INPUTS

TEXT_NAMES = (
    "text", "sentence", "review", "message", "content", "comment", "body", "question", "tweet", "document",
    "utterance", "post", "description",
)  # fmt: skip
LABEL_NAMES = (
    "label", "class", "category", "target", "topic", "sentiment", "stars", "rating", "intent", "answer", "feeling", "y",
)  # fmt: skip
LONG_NAME, MANY_WORDS = 60, 7  # of a name that is more likely a text
NO_HEADER = "Is the first line a row of data? A line with the column names must come first, such as: text,label"


class Columns(NamedTuple):
    """Names of the text and the label column, as far as they are known."""

    text: str | None = None
    label: str | None = None


def unique_names(names: Sequence[str]) -> list[str]:
    """Return names of which none stands for two columns: `a,b,a` becomes `a_1,b,a_2`, and `a,,` `a,column_2,column_3`.

    Only columns that are used need a name of their own, so a file may have others that share one.
    """
    counts = Counter(names)
    if len(counts) == len(names):
        return list(names)
    taken = {name for name, n in counts.items() if n == 1}
    numbers: Counter[str] = Counter()
    found = []
    for place, name in enumerate(names, start=1):
        free = name
        while counts[name] > 1 and (free == name or free in taken):
            numbers[name] += 1
            free = f"{name}_{numbers[name]}" if name else f"column_{max(place, numbers[name])}"
        taken.add(free)
        found.append(free)
    return found


def check_column_names(path: str | Path, names: Sequence[str], *, line: int | None = None) -> None:
    """Raise where a column name stands twice: one of the two would be lost."""
    twice = sorted(name for name, n in Counter(names).items() if n > 1)
    if twice:
        raise DataError(path, f"column name {twice[0]!r:.60} appears more than once", line=line)


def text_column(path: str | Path, columns: Sequence[str], asked: str | None, *, label: str | None = None) -> str:
    """Return the name of the text column."""
    if asked is not None and asked == label:
        raise DataError(path, f"column {asked!r} cannot be both the text and the label")
    if asked is not None:
        return _named(path, columns, asked, flag="--text")
    rest = [name for name in columns if name != label]
    if len(rest) == 1:
        return rest[0]
    return _only(path, rest, TEXT_NAMES, what="the text", flag="--text")


def label_column(path: str | Path, columns: Sequence[str], asked: str | None, *, text: str | None = None) -> str:
    """Return the name of the label column."""
    if asked is not None:
        return _named(path, columns, asked, flag="--label")
    if text is not None:
        _named(path, columns, text, flag="--text")
    else:
        known = [name for name in columns if name.lower() in TEXT_NAMES]
        text = known[0] if len(known) == 1 else None
    rest = [name for name in columns if name != text]
    if len(rest) == 1 and text is not None:
        return rest[0]
    return _only(path, rest, LABEL_NAMES, what="the label", flag="--label")


def both_columns(path: str | Path, columns: Sequence[str], asked: Columns, hints: Columns) -> tuple[str, str]:
    """Return the text and the label column: as asked, as hinted where such a column is there, or as found."""
    text, label = (a or (h if h in columns else None) for a, h in zip(asked, hints, strict=True))
    label_name = label_column(path, columns, label, text=text)
    return text_column(path, columns, text, label=label_name), label_name


def input_column(columns: Sequence[str], kind: str) -> str | None:
    """Return the column of inputs that are not texts, where one has a name that leaves no doubt."""
    by_name = {name.lower(): name for name in reversed(columns)}
    return next((by_name[name] for name in INPUTS[kind].columns if name in by_name), None)


def label_columns(path: str | Path, columns: Sequence[str], asked: str | None) -> list[str]:
    """Return the columns of many labels, named with commas; none where one label is asked for."""
    if asked is None or "," not in asked or asked in columns:
        return []
    return [_named(path, columns, name.strip(), flag="--label") for name in asked.split(",")]


def no_such_column(path: str | Path, columns: Sequence[str], asked: str, *, flag: str) -> DataError:
    """Return the error for a column that is not there."""
    numbered = [name for name in columns if name.removeprefix(f"{asked}_").isdecimal() and name.startswith(asked)]
    if len(numbered) > 1:
        said = f"column name {asked!r} appears more than once. Say which: {flag} {' or '.join(numbered[:2])}"
        return DataError(path, said)
    return DataError(
        path,
        f"no column {asked!r:.60} ({flag}). The columns are {listed(columns)}.{did_you_mean(asked, columns)}"
        f"{header_hint(columns)}",
    )


def header_hint(columns: Sequence[str]) -> str:
    """Return a sentence where names of columns look like a row of data."""
    strange = [name for name in columns if len(name) > LONG_NAME or len(name.split()) > MANY_WORDS or _is_number(name)]
    return f" {NO_HEADER}" if strange else ""


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True


def _named(path: str | Path, columns: Sequence[str], asked: str, *, flag: str) -> str:
    if asked not in columns:
        raise no_such_column(path, columns, asked, flag=flag)
    return asked


def _only(path: str | Path, columns: Sequence[str], names: Sequence[str], *, what: str, flag: str) -> str:
    found = [name for name in columns if name.lower() in names]
    if len(found) == 1 or (found and names[0] in found):  # "text" and "label" themselves leave no doubt
        return names[0] if names[0] in found else found[0]
    if not columns:
        raise DataError(path, f"there is no column left for {what}; expected one for the text and one for the label")
    doubt = f"{' and '.join(found[:MOST_NAMES])} could both be" if found else "none is plainly"
    raise DataError(
        path,
        f"which column is {what}? The columns are {listed(columns)}; {doubt} {what}. Say so with {flag} NAME"
        f"{'.' if (hint := header_hint(columns)) else ''}{hint}",
    )
