"""A record of a file, and a labelled example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class Row:
    """A record of a file, with the line it starts on (the row number for parquet)."""

    values: Mapping[str, Any]
    line: int
    file: str | None = field(default=None, compare=False)  # if several files are read as one


class TwoTexts(NamedTuple):
    """Two texts with one shared label."""

    first: str
    second: str


def texts_in(source: Any) -> tuple[Any, ...]:
    """Return both texts of a pair, or the input alone."""
    return tuple(source) if isinstance(source, TwoTexts) else (source,)


@dataclass(frozen=True, slots=True)
class Example:
    """One input with its label.

    | task      | answer                                                                  |
    |-----------|-------------------------------------------------------------------------|
    | classify  | a label; multilabel: "1", "0" or "" (unknown) for each label            |
    | regress   | a number, as written in the file                                        |
    | tag       | a tag for each token, "" if unknown                                     |
    | pair      | a label or a number; the input is `TwoTexts`                            |
    | translate | a text                                                                  |
    """

    text: Any  # or the path of an audio file, a SMILES string, a graph, vectors, tokens, two texts
    label: Any
    line: int | None = field(default=None, compare=False)  # in its file
