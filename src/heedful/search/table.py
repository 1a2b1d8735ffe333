"""The LanceDB table of passages, their words and their vectors. Changes are atomic."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError, need, reason
from heedful.search.column_types import NUMBER, TEXT, YES_NO
from heedful.search.filters import as_column, as_text
from heedful.search.ranking.candidates import (
    Candidate,
    best_row,
    by_meaning,
    by_words,
    filtered,
    make_word_index,
)
from heedful.search.ranking.columns import HIDDEN, N_WORDS, PART, PARTS, START, VECTOR, WORDS
from heedful.search.ranking.statistics import TermStatistics

ROWS = "rows"
MANY = 50_000  # rows; up to this, searches are exact
MOST_SEGMENTS = 8  # each extension adds one and slows searches; above this the index is rebuilt
MEMORY = {"index_cache_size_bytes": 512 * 2**20, "metadata_cache_size_bytes": 64 * 2**20}
IDS_AT_ONCE = 1_000

# The part of a LanceDB error that concerns the operating system.
_DISK = re.compile(r"[^:,()]*\(os error \d+\)|[Cc]ommit conflict[^.,]*")

Vectors = NDArray[np.float32]


class Table:
    """Passages with an id, a vector and columns. The table is created with the first rows.

    With words, a row is a passage of a document, and has the document's columns. Without, as in an index of format 1,
    a row is a document.
    """

    def __init__(self, folder: Path, *, key: str, width: int, has_words: bool = True) -> None:
        # The library logs to stderr. It opens no network connections for a local folder.
        os.environ.setdefault("LANCEDB_LOG", "error")
        lance = need("lancedb", feature="Search", extra="search")
        self._arrow = need("pyarrow", feature="Search", extra="search")
        self._folder, self.key, self._width, self.has_words = folder, key, width, has_words
        self._hidden = HIDDEN if has_words else (VECTOR,)
        # Without an interval a handle would keep reading the version it was opened with.
        self._base = lance.connect(
            str(folder.absolute()), session=lance.Session(**MEMORY), read_consistency_interval=timedelta(0)
        )
        self._rows: Any = None
        self._statistics: TermStatistics | None = None
        with suppress(ValueError):  # no rows yet
            self._rows = self._base.open_table(ROWS)

    @property
    def columns(self) -> dict[str, str]:
        """The name and type of each column."""
        if self._rows is None:
            return {}
        kinds = {self._arrow.float64(): NUMBER, self._arrow.bool_(): YES_NO}
        return {
            field.name: kinds.get(field.type, TEXT) for field in self._rows.schema if field.name not in self._hidden
        }

    def count(self, where: str | None = None) -> int:
        """Return the number of documents; one matches a filter if a passage does."""
        with filtered(where):
            if self._rows is None:
                return 0
            if where is None:
                return int(self._rows.count_rows(f"{PART} = 0" if self.has_words else None))
            return len(self._ids_of(where)) if self._has_long else int(self._rows.count_rows(where))

    @property
    def _has_long(self) -> bool:
        """Whether a document has several passages."""
        return self.has_words and self._rows is not None and self._rows.count_rows(f"{PART} > 0") > 0

    def _ids_of(self, where: str) -> set[str]:
        """Return the ids of the documents with a passage that matches a filter."""
        return set(self._rows.search().where(where).select([self.key]).limit(None).to_arrow()[self.key].to_pylist())

    def have(self, ids: Sequence[str]) -> set[str]:
        """Return the ids that exist."""
        return set(self._n_passages(ids))

    def _n_passages(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the number of passages of each of these documents that exists."""
        if self._rows is None or not ids:
            return {}
        where = f"{self._any_of(ids)} AND {PART} = 0" if self.has_words else self._any_of(ids)
        names = [self.key, PARTS] if self.has_words else [self.key]
        rows = self._rows.search().where(where).select(names).limit(len(ids)).to_arrow()
        counts = rows[PARTS].to_pylist() if self.has_words else [1] * len(rows)
        return dict(zip(rows[self.key].to_pylist(), counts, strict=True))

    def write(self, rows: Mapping[str, Sequence[Any]], vectors: Vectors, kinds: Mapping[str, str]) -> int:
        """Add passages, given as columns, or replace those of documents with the same id.

        Return the number of replaced documents.
        """
        table = self._as_arrow(rows, vectors, kinds)
        with self._on_disk():
            if self._rows is None:
                self._rows = self._base.create_table(ROWS, table)
                self._make_words()
                return 0
            if fresh := [table.schema.field(name) for name in kinds if name not in self.columns]:
                self._rows.add_columns(fresh)
            old = self._n_passages(list(dict.fromkeys(rows[self.key])))
            if old:
                self._merge(table, self._shrinking(rows, old))
            else:
                self._rows.add(table)
            return len(old)

    def _merge(self, table: Any, shrinking: Sequence[str]) -> None:
        """Replace rows; of documents that have fewer passages now, delete the others."""
        keys = [self.key, PART] if self.has_words else self.key
        merge = self._rows.merge_insert(keys).when_matched_update_all().when_not_matched_insert_all()
        if shrinking:
            merge = merge.when_not_matched_by_source_delete(self._any_of(shrinking))
        merge.execute(table)

    def _shrinking(self, rows: Mapping[str, Sequence[Any]], old: Mapping[str, int]) -> list[str]:
        if not self.has_words:
            return []
        fresh = dict(zip(rows[self.key], rows[PARTS], strict=True))
        return [name for name, n in old.items() if fresh[name] < n]

    @contextmanager
    def _on_disk(self) -> Iterator[None]:
        """Turn disk errors and write conflicts into a one-line message."""
        try:
            yield
        except (OSError, RuntimeError, ValueError) as error:
            if not isinstance(error, OSError) and not _DISK.search(str(error)):
                raise
            raise HeedfulError(f"{self._folder} cannot be written: {_disk_problem(error)}") from None

    def delete(self, where: str) -> int:
        """Delete the documents that match a checked filter; return their number."""
        with filtered(where), self._on_disk():
            if self._rows is None:
                return 0
            if self._has_long:
                return self.delete_ids(sorted(self._ids_of(where)))
            return int(self._rows.delete(where).num_deleted_rows)

    def delete_ids(self, ids: Sequence[str]) -> int:
        """Delete documents by id; return their number."""
        if self._rows is None:
            return 0
        parts = [ids[i : i + IDS_AT_ONCE] for i in range(0, len(ids), IDS_AT_ONCE)]
        with self._on_disk():
            n_before = self.count()
            for part in parts:
                self._rows.delete(self._any_of(part))
            return n_before - self.count()

    def nearest(self, vector: Vectors, n: int, where: str | None = None) -> list[Candidate]:
        """Return the n rows nearest to a unit vector. Rows with a zero vector are never returned."""
        return [] if self._rows is None else by_meaning(self._rows, vector, n, self._read, where)

    def with_words(self, terms: Sequence[str], n: int, where: str | None = None) -> list[Candidate]:
        """Return the n rows that rank first by BM25."""
        return [] if self._rows is None or not terms else by_words(self._rows, terms, n, self._read, where)

    @property
    def _read(self) -> list[str]:
        """The columns that a search reads."""
        return [*self.columns, *self._hidden]

    def statistics(self) -> TermStatistics:
        """Return the rarity of terms in this version of the table."""
        version = int(self._rows.version)
        if self._statistics is None or self._statistics.version != version:
            lengths = self._rows.search().select([N_WORDS]).limit(None).to_arrow()[N_WORDS].to_numpy()
            mean = float(lengths[lengths > 0].mean()) if lengths.any() else 0.0
            self._statistics = TermStatistics(version, len(lengths), mean, lambda form: best_row(self._rows, form))
        return self._statistics

    def passages(self, name: str, text: str) -> list[tuple[int, str]]:
        """Return the passages of a document with their offsets, in order."""
        if self._rows is None:
            return []
        columns = [text, START] if self.has_words else [text]
        rows = self._rows.search().where(self._any_of([name])).select(columns).limit(None).to_arrow().to_pylist()
        return sorted((row.get(START, 0), row[text]) for row in rows)

    @property
    def is_approximate(self) -> bool:
        """Whether searches are approximate."""
        return self._rows is not None and any(index.columns == [VECTOR] for index in self._rows.list_indices())

    def optimise(self, *, many: int = MANY) -> None:
        """Compact the files; with many rows, build or extend the approximate index."""
        if self._rows is None:
            return
        with self._on_disk():
            if self.has_words and not any(index.columns == [WORDS] for index in self._rows.list_indices()):
                self._make_words()
            self._tidy()
            n = self._rows.count_rows()
            if n > many and (not self.is_approximate or self._segments() > MOST_SEGMENTS):
                self._make_approximate(n)
            self._tidy()  # the second call removes what the first replaced

    def _segments(self) -> int:
        return sum(index.num_segments or 0 for index in self._rows.list_indices() if index.columns == [VECTOR])

    def _tidy(self) -> None:
        # Zero would work with a warning about other readers, but these look for the newest version at each search.
        self._rows.optimize(cleanup_older_than=timedelta(seconds=1))

    def _make_approximate(self, n: int) -> None:
        index = need("lancedb.index", feature="Search", extra="search")
        parts = max(1, round(n**0.5 / 2))
        settings = index.IvfSq(distance_type="cosine", num_partitions=parts, max_iterations=15, sample_rate=128)
        self._rows.create_index(VECTOR, config=settings)

    def _make_words(self) -> None:
        if self.has_words:
            make_word_index(self._rows)

    def _any_of(self, ids: Sequence[str]) -> str:
        return f"{as_column(self.key)} IN ({', '.join(map(as_text, ids))})"

    def _as_arrow(self, rows: Mapping[str, Sequence[Any]], vectors: Vectors, kinds: Mapping[str, str]) -> Any:
        pa = self._arrow
        types = {NUMBER: pa.float64(), YES_NO: pa.bool_(), TEXT: pa.string()}
        columns = {name: pa.array(rows[name], types[kind]) for name, kind in kinds.items()}
        if self.has_words:
            columns |= {name: pa.array(rows[name], pa.int32()) for name in (PART, PARTS, START, N_WORDS)}
            columns[WORDS] = pa.array(rows[WORDS], pa.string())
        flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).reshape(-1))
        if vectors.shape[1] != self._width:
            raise HeedfulError(f"the vectors have width {vectors.shape[1]}, expected {self._width}")
        return pa.table({**columns, VECTOR: pa.FixedSizeListArray.from_arrays(flat, self._width)})


def _disk_problem(error: Exception) -> str:
    """Return the useful part of a LanceDB error message."""
    match = _DISK.search(str(error))
    return match.group(0).strip() if match else reason(error)
