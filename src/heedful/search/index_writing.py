"""Methods of a search index that write: add, delete, optimise."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heedful.data.example import Row
from heedful.errors import HeedfulError
from heedful.files.lock import exclusive_lock
from heedful.search.about import About
from heedful.search.hit import Added
from heedful.search.ranking.split import with_passages
from heedful.search.rows import RowBatch, batches
from heedful.search.table import MANY, Table

if TYPE_CHECKING:
    from heedful.runtime.model import Model


class IndexWriting:
    """A mix-in for Index."""

    path: Path
    about: About
    _table: Table
    _lock: threading.RLock
    _depth: int

    if TYPE_CHECKING:

        @property
        def model(self) -> Model: ...
        def count(self, *, where: str | None = None) -> int: ...
        def _checked(self, where: str | None) -> str | None: ...

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the write lock within a `with` block; raise if another process holds it."""
        with self._lock, exclusive_lock(self.path, inside=True) if not self._depth else nullcontext():
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1

    def add(
        self,
        rows: Iterable[Mapping[str, Any] | Row],
        *,
        source: str | Path = "rows",
        numbers_in_text: bool = False,
        on_progress: Callable[[int], None] = lambda _: None,
    ) -> Added:
        """Add rows in batches; a row with an existing id is replaced. Batches written before an error are kept.

        Args:
            rows: dicts of columns.
            source: name of the rows in errors.
            numbers_in_text: make a new column of texts such as "4.5" numeric.
            on_progress: called with the number of rows read.

        Returns:
            How many rows were read, are new, and replaced others.

        Raises:
            DataError: if a row has no text, or a value of another type than its column.
            HeedfulError: if another process writes to the index.

        Example:
            >>> index.add([{"text": "a cat on the sofa", "price": 3}])
            Added(read=1, new=0, replaced=0)
        """
        done = Added()
        with self.writing():
            was_empty = self.count() == 0
            for batch in batches(rows, self.about, source=source):
                done = self._write(batch, done, is_new=was_empty, numbers_in_text=numbers_in_text)
                on_progress(done.read)
        return done

    def _write(self, batch: RowBatch, done: Added, *, is_new: bool, numbers_in_text: bool) -> Added:
        if batch.hashed_ids and not is_new:  # the same id is the same row: its vector exists
            for name in self._table.have(sorted(batch.hashed_ids)):
                del batch.rows[name]
        done = replace(done, read=done.read + batch.n_read)
        if not batch.rows:
            return done
        kinds = batch.kinds(self.about, self._table.columns, numbers_in_text=numbers_in_text)
        columns = batch.columns(self.about, kinds)
        if self.about.has_words:
            columns = with_passages(columns, self.about.text)
        vectors = self.model.embed(columns[self.about.text], normalize=True)
        replaced = self._table.write(columns, vectors, kinds)
        return replace(done, new=done.new + len(batch.rows) - replaced, replaced=done.replaced + replaced)

    def delete(self, ids: Sequence[str] | None = None, *, where: str | None = None) -> int:
        """Delete rows by id or by a filter.

        Args:
            ids: ids of the rows.
            where: filter, such as "price < 10".

        Returns:
            The number of deleted rows.

        Raises:
            HeedfulError: if both or neither are given, or if the filter cannot be parsed.

        Example:
            >>> index.delete(where="price > 1000")
            0
        """
        if (ids is None) == (where is None):
            raise HeedfulError("pass either ids or where to choose the rows to delete")
        with self.writing():
            if ids is not None:
                return self._table.delete_ids([ids] if isinstance(ids, str) else [str(name) for name in ids])
            return self._table.delete(self._checked(where) or "")

    def optimise(self, *, many: int = MANY) -> None:
        """Compact the files; with many rows, build the approximate index.

        Args:
            many: number of rows above which searches become approximate.

        Raises:
            HeedfulError: if another process writes to the index.

        Example:
            >>> index.optimise()
            >>> index.is_approximate
            False
        """
        with self.writing():
            self._table.optimise(many=many)
