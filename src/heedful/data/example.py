"""One record of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """One record as it stands in the file, with the line it starts on (a row number for parquet)."""

    values: Mapping[str, Any]
    line: int


@dataclass(frozen=True, slots=True)
class Example:
    """One text with its answer."""

    text: str
    label: str
