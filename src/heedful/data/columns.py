"""Which column is the text, which is the label: as told, or found where there is no doubt."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from heedful.errors import DataError, did_you_mean

TEXT_NAMES = (
    "text", "sentence", "review", "message", "content", "comment", "body", "question", "tweet", "document",
    "utterance", "post", "description",
)  # fmt: skip
LABEL_NAMES = (
    "label", "class", "category", "target", "topic", "sentiment", "stars", "rating", "intent", "answer", "feeling", "y",
)  # fmt: skip
# What the column of the input may be called, where the input is not a text.
INPUT_NAMES = {
    "audio": ("path", "file", "filename", "audio", "sound", "wav", "recording"),
    "molecule": ("smiles", "molecule", "structure", "canonical_smiles"),
    "graph": ("graph", "path", "file", "graphml"),
    "vectors": ("vectors", "x", "vector", "embedding", "features"),
}


class Columns(NamedTuple):
    """Names of the text and the label column, as far as they are known."""

    text: str | None = None
    label: str | None = None


def check_column_names(path: str | Path, names: Sequence[str], *, line: int | None = None) -> None:
    """Raise where a column name stands twice: one of the two would be lost."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DataError(path, f"column name {twice[0]!r} stands more than once", line=line)


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
    return next((by_name[name] for name in INPUT_NAMES.get(kind, ()) if name in by_name), None)


def label_columns(path: str | Path, columns: Sequence[str], asked: str | None) -> list[str]:
    """Return the columns of many labels, named with commas; none where one label is asked for."""
    if asked is None or "," not in asked or asked in columns:
        return []
    return [_named(path, columns, name.strip(), flag="--label") for name in asked.split(",")]


def _named(path: str | Path, columns: Sequence[str], asked: str, *, flag: str) -> str:
    if asked not in columns:
        raise DataError(
            path, f"no column {asked!r} ({flag}). The columns are {', '.join(columns)}.{did_you_mean(asked, columns)}"
        )
    return asked


def _only(path: str | Path, columns: Sequence[str], names: Sequence[str], *, what: str, flag: str) -> str:
    found = [name for name in columns if name.lower() in names]
    if len(found) == 1 or (found and names[0] in found):  # "text" and "label" themselves leave no doubt
        return names[0] if names[0] in found else found[0]
    if not columns:
        raise DataError(path, f"there is no column left for {what}; expected one for the text and one for the label")
    doubt = f"{' and '.join(found)} could both be" if found else "none is plainly"
    raise DataError(
        path, f"which column is {what}? The columns are {', '.join(columns)}; {doubt} {what}. Say so with {flag} NAME"
    )
