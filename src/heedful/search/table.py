"""The LanceDB table of rows and vectors. Changes are atomic."""

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
from heedful.search.filters import as_column, as_text, wrong_filter

ROWS, VECTOR = "rows", "_vector"
MANY = 50_000  # rows; up to this, searches are exact
PROBES = 150  # partitions of the approximate index per search: 30 % of them with a million rows
MOST_SEGMENTS = 8  # each extension adds one and slows searches; above this the index is rebuilt
REFINE = 5  # factor of extra rows that are re-ranked by their full vectors
MEMORY = {"index_cache_size_bytes": 512 * 2**20, "metadata_cache_size_bytes": 64 * 2**20}
IDS_AT_ONCE = 1_000

# The part of a LanceDB error that concerns the operating system.
_DISK = re.compile(r"[^:,()]*\(os error \d+\)|[Cc]ommit conflict[^.,]*")

Vectors = NDArray[np.float32]


class Table:
    """Rows with an id, a vector and columns. The table is created with the first rows."""

    def __init__(self, folder: Path, *, key: str, width: int) -> None:
        # The library logs to stderr. It opens no network connections for a local folder.
        os.environ.setdefault("LANCEDB_LOG", "error")
        lance = need("lancedb", feature="Search", extra="search")
        self._arrow = need("pyarrow", feature="Search", extra="search")
        self._folder, self._key, self._width = folder, key, width
        # Without an interval a handle would keep reading the version it was opened with.
        self._base = lance.connect(
            str(folder.absolute()), session=lance.Session(**MEMORY), read_consistency_interval=timedelta(0)
        )
        self._rows: Any = None
        with suppress(ValueError):  # no rows yet
            self._rows = self._base.open_table(ROWS)

    @property
    def columns(self) -> dict[str, str]:
        """The name and type of each column."""
        if self._rows is None:
            return {}
        kinds = {self._arrow.float64(): NUMBER, self._arrow.bool_(): YES_NO}
        return {field.name: kinds.get(field.type, TEXT) for field in self._rows.schema if field.name != VECTOR}

    def count(self, where: str | None = None) -> int:
        """Return the number of rows."""
        with _filtered(where):
            return 0 if self._rows is None else int(self._rows.count_rows(where))

    def have(self, ids: Sequence[str]) -> set[str]:
        """Return the ids that exist."""
        if self._rows is None or not ids:
            return set()
        existing = self._rows.search().where(self._any_of(ids)).select([self._key]).limit(len(ids)).to_arrow()
        return set(existing[self._key].to_pylist())

    def write(self, rows: Mapping[str, Sequence[Any]], vectors: Vectors, kinds: Mapping[str, str]) -> int:
        """Add rows, given as columns, or replace those with the same id. Return the number of replaced rows."""
        table = self._as_arrow(rows, vectors, kinds)
        with self._on_disk():
            if self._rows is None:
                self._rows = self._base.create_table(ROWS, table)
                return 0
            if fresh := [table.schema.field(name) for name in kinds if name not in self.columns]:
                self._rows.add_columns(fresh)
            merge = self._rows.merge_insert(self._key).when_matched_update_all().when_not_matched_insert_all()
            return int(merge.execute(table).num_updated_rows)

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
        """Delete the rows that match a checked filter; return their number."""
        with _filtered(where), self._on_disk():
            return 0 if self._rows is None else int(self._rows.delete(where).num_deleted_rows)

    def delete_ids(self, ids: Sequence[str]) -> int:
        """Delete rows by id; return their number."""
        parts = (ids[i : i + IDS_AT_ONCE] for i in range(0, len(ids), IDS_AT_ONCE))
        return sum(self.delete(self._any_of(part)) for part in parts)

    def nearest(self, vector: Vectors, n: int, where: str | None = None) -> list[tuple[float, dict[str, Any]]]:
        """Return (cosine, row) of the n nearest rows, nearest first. Rows with a zero vector are never returned."""
        if self._rows is None:
            return []
        query = self._rows.search(vector, vector_column_name=VECTOR).distance_type("cosine").limit(n)
        query = query.nprobes(PROBES).refine_factor(REFINE).select([*self.columns, "_distance"])
        if where is not None:
            query = query.where(where, prefilter=True)
        with _filtered(where):
            rows = query.to_arrow().to_pylist()
        return [(min(1.0, 1.0 - row.pop("_distance")), row) for row in rows]

    @property
    def is_approximate(self) -> bool:
        """Whether searches are approximate."""
        return self._rows is not None and any(index.columns == [VECTOR] for index in self._rows.list_indices())

    def optimise(self, *, many: int = MANY) -> None:
        """Compact the files; with many rows, build or extend the approximate index."""
        if self._rows is None:
            return
        with self._on_disk():
            self._tidy()
            n = self.count()
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

    def _any_of(self, ids: Sequence[str]) -> str:
        return f"{as_column(self._key)} IN ({', '.join(map(as_text, ids))})"

    def _as_arrow(self, rows: Mapping[str, Sequence[Any]], vectors: Vectors, kinds: Mapping[str, str]) -> Any:
        pa = self._arrow
        types = {NUMBER: pa.float64(), YES_NO: pa.bool_(), TEXT: pa.string()}
        columns = {name: pa.array(rows[name], types[kind]) for name, kind in kinds.items()}
        flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).reshape(-1))
        if vectors.shape[1] != self._width:
            raise HeedfulError(f"the vectors have width {vectors.shape[1]}, expected {self._width}")
        return pa.table({**columns, VECTOR: pa.FixedSizeListArray.from_arrays(flat, self._width)})


def _disk_problem(error: Exception) -> str:
    """Return the useful part of a LanceDB error message."""
    match = _DISK.search(str(error))
    return match.group(0).strip() if match else reason(error)


@contextmanager
def _filtered(where: str | None) -> Iterator[None]:
    """Turn LanceDB's filter errors into a message."""
    try:
        yield
    except (ValueError, RuntimeError) as error:
        if where is None:
            raise
        raise wrong_filter(where, error) from None
