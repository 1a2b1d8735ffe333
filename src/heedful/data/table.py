"""Tables in memory, read like files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from heedful.data.example import Row


class Table:
    """Rows in memory. In messages it has a name, and its rows are counted from 1."""

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
