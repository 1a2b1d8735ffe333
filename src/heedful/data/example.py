"""One record of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class Row:
    """One record as it stands in the file, with the line it starts on (a row number for parquet)."""

    values: Mapping[str, Any]
    line: int


class TwoTexts(NamedTuple):
    """Two texts that have one answer."""

    first: str
    second: str


def texts_in(source: Any) -> tuple[Any, ...]:
    """Return both texts of a pair, or the input alone."""
    return tuple(source) if isinstance(source, TwoTexts) else (source,)


@dataclass(frozen=True, slots=True)
class Example:
    """One input with its answer.

    | task      | answer                                                                  |
    |-----------|-------------------------------------------------------------------------|
    | classify  | a label; of many, "1", "0" or "" (unknown) for each                     |
    | regress   | a number, as it stands in the file                                      |
    | tag       | a tag for each token, "" where it is unknown                            |
    | pair      | a label or a number; the input is `TwoTexts`                            |
    | translate | a text                                                                  |
    """

    text: Any  # or a sound's path, a SMILES, a graph, vectors, tokens, two texts
    label: Any
    line: int | None = field(default=None, compare=False)  # in its file
