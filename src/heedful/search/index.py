"""The search index."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heedful.data.example import Row
from heedful.errors import HeedfulError
from heedful.files.atomic import naming
from heedful.files.lock import exclusive_lock
from heedful.runtime.checked_inputs import checked_text
from heedful.runtime.model import Model, as_model, load
from heedful.search.about import NAME, About, fingerprint, model_name, read_about
from heedful.search.column_types import check_name, given_back
from heedful.search.filters import checked_filter
from heedful.search.rows import ID, RowBatch, batches
from heedful.search.table import MANY, Table
from heedful.store.folder import NEW, clean_up, move_into_place
from heedful.tasks.task import SIMILARITY

if TYPE_CHECKING:
    from heedful.explain.similarity import Similarity


@dataclass(frozen=True)
class Hit:
    """A search result. `score` is the cosine similarity to the query."""

    id: str
    score: float
    text: str
    columns: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return {"id": self.id, "score": self.score, "text": self.text, "columns": dict(self.columns)}


@dataclass(frozen=True)
class Added:
    """Row counts of `add`: read = new + replaced + unchanged or duplicate rows."""

    read: int = 0
    new: int = 0
    replaced: int = 0


class Index:
    """A folder of texts for semantic search. Use `create` to make one and `open` to open it."""

    def __init__(self, path: Path, about: About, model: Model | None, *, threads: int | None = None) -> None:
        self.path, self.about = path, about
        self._given, self._threads = model, threads
        self._table = Table(path, key=about.id or ID, width=about.width)
        self._lock, self._depth = threading.RLock(), 0

    @classmethod
    def create(
        cls,
        path: str | Path,
        model: Model | str | Path,
        *,
        text: str = "text",
        id: str | None = None,  # noqa: A002  the public name
        overwrite: bool = False,
    ) -> Index:
        """Create an empty index. `text` and `id` name columns; without `id`, ids are hashes of the rows."""
        path = Path(path)
        check_utf8(path)
        if not path.exists():
            with exclusive_lock(path):
                clean_up(path.absolute())
        check_target(path, overwrite=overwrite)
        model = as_model(model)
        if SIMILARITY not in model.can:
            raise HeedfulError(f"{model.path.name} is not an encoder. Search needs one, such as en-base")
        for name in (text, id or ID):
            check_name(name)
        if text == (id or ID):
            raise HeedfulError(f"column {text!r} cannot be both the text and the id")
        about = About(model_name(model), fingerprint(model), model.width, text, id)
        _make_folder(path, about)
        return cls(path, about, model)

    @classmethod
    def open(cls, path: str | Path, *, model: Model | str | Path | None = None, threads: int | None = None) -> Index:
        """Open an index. Its model is loaded on first use; pass `model` if it was moved."""
        path = Path(path)
        about = read_about(path)
        loaded = None if model is None else as_model(model, threads=threads)
        index = cls(path, about, loaded, threads=threads)
        if loaded is not None:
            index._check_fits(loaded)
        return index

    @cached_property
    def model(self) -> Model:
        """The encoder that made the vectors."""
        if self._given is not None:
            return self._given
        try:
            model = load(self.about.model, threads=self._threads)
        except HeedfulError as error:
            raise HeedfulError(f"{self.path}: {error}. Set model to its current path") from None
        self._check_fits(model)
        return model

    @property
    def columns(self) -> dict[str, str]:
        """The name and type (number, yes or no, text) of each column."""
        return self._table.columns

    def count(self, *, where: str | None = None) -> int:
        """Return the number of rows, or of those that match a filter."""
        return self._table.count(self._checked(where))

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

        `source` is the name of the rows in errors. With `numbers_in_text`, a new column of texts like '4.5' is numeric.
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
        vectors = self.model.embed(columns[self.about.text], normalize=True)
        replaced = self._table.write(columns, vectors, kinds)
        return replace(done, new=done.new + len(batch.rows) - replaced, replaced=done.replaced + replaced)

    def delete(self, ids: Sequence[str] | None = None, *, where: str | None = None) -> int:
        """Delete rows by id or by a filter; return the number of deleted rows."""
        if (ids is None) == (where is None):
            raise HeedfulError("pass either ids or where to choose the rows to delete")
        with self.writing():
            if ids is not None:
                return self._table.delete_ids([ids] if isinstance(ids, str) else [str(name) for name in ids])
            return self._table.delete(self._checked(where) or "")

    def search(self, query: str, n: int = 10, *, where: str | None = None) -> list[Hit]:
        """Return the n most similar rows, best first. `where` filters rows before the search."""
        if n < 1:
            raise HeedfulError(f"n is {n}, expected at least 1")
        if not checked_text(query).strip():
            raise HeedfulError("the query is empty, expected a text")
        if self.count() == 0:
            raise HeedfulError(f"{self.path} has no rows. Add some with: heedful index FILE -o {self.path} --add")
        condition = self._checked(where)
        vector = self.model.embed(query, normalize=True)
        if not vector.any():
            raise HeedfulError(f"{query!r:.60} has no tokens that the model knows")
        return [self._hit(score, row) for score, row in self._table.nearest(vector, n, condition)]

    def explain(self, query: str, hits: Sequence[Hit]) -> list[Similarity]:
        """Explain the similarity of each hit to the query, word by word."""
        from heedful.explain.similarity import pair_similarity, word_parts

        query_parts, *hit_parts = word_parts(self.model, [query, *(hit.text for hit in hits)])
        return [pair_similarity(query_parts, parts) for parts in hit_parts]

    @property
    def is_approximate(self) -> bool:
        """Whether searches are approximate: see `optimise`."""
        return self._table.is_approximate

    def optimise(self, *, many: int = MANY) -> None:
        """Compact the files; with more than `many` rows, build the approximate index."""
        with self.writing():
            self._table.optimise(many=many)

    def drop_if_empty(self) -> None:
        """Remove the folder of an index that has no rows."""
        if self.count() == 0:
            shutil.rmtree(self.path, ignore_errors=True)

    def _hit(self, score: float, row: dict[str, Any]) -> Hit:
        name, text = row.pop(self.about.id or ID), row.pop(self.about.text)
        return Hit(name, score, text, {column: given_back(value) for column, value in row.items()})

    def _checked(self, where: str | None) -> str | None:
        return None if where is None else checked_filter(where, self.columns)

    def _check_fits(self, model: Model) -> None:
        if fingerprint(model) != self.about.fingerprint:
            raise HeedfulError(
                f"{self.path} was built with {self.about.model}, and {model.path} is another model (or was retrained), "
                "so their vectors are not comparable. Use the same model, or rebuild the index"
            )

    def __repr__(self) -> str:
        return f"<heedful index {self.path.name}: {self.count():,} rows, model {self.about.model}>"


def check_utf8(path: Path) -> None:
    """Raise for a path that LanceDB does not support."""
    try:
        str(path.absolute()).encode()
    except UnicodeEncodeError:
        raise HeedfulError(f"{path}: the path of an index must be UTF-8. Choose another path") from None


def check_target(path: Path, *, overwrite: bool = False) -> None:
    """Raise if an index cannot be created at this path."""
    is_free = not path.exists() or (path.is_dir() and not any(path.iterdir()))
    if not is_free and not (path / NAME).is_file():
        raise HeedfulError(f"{path} exists and is not an index: it will not be overwritten")
    if not is_free and not overwrite:
        raise HeedfulError(f"{path} already exists. Add to it, or set overwrite to replace it")


def _make_folder(path: Path, about: About) -> None:
    """Create the folder atomically: it is written beside its path and moved."""
    with exclusive_lock(path), naming(path):
        clean_up(path.absolute())
        if path.exists():
            with exclusive_lock(path, inside=True):  # raises if another process writes to the existing index
                pass
        fresh = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=NEW, dir=path.parent))
        try:
            about.write(fresh)
            fresh.chmod(0o755)
            move_into_place(fresh, path)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
