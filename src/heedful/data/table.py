"""Tables in memory, read like files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from heedful.data.example import Row


class Table:
    """Rows in memory. In messages it has a name, and its rows are counted from 1."""

    line_name = "row"

    def __init__(
        self,
        name: str,
        rows: Callable[[], Iterable[Mapping[str, Any]]],
        *,
        text: str | None = None,
        label: str | None = None,
    ) -> None:
        self.name, self._rows = name, rows
        self.text, self.label = text, label  # columns that are known

    def __str__(self) -> str:
        return self.name

    def rows(self) -> Iterator[Row]:
        """Yield the rows."""
        for number, values in enumerate(self._rows(), start=1):
            yield Row(values, number)


Source = str | Path | Table  # of rows: a file, a pattern, a folder, or a table in memory
Data = str | Path | Table | Mapping[str, Any] | Iterable[Any]  # from users; `data/memory.py` makes a Source of it


def folder_of(source: Source) -> Path:
    """Return the folder that paths in a table are relative to."""
    return Path() if isinstance(source, Table) else Path(source).parent
