"""Searches of the LanceDB table: rows that may be hits, by words and by meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import need
from heedful.search.filters import wrong_filter
from heedful.search.ranking.columns import HIDDEN, PART, PARTS, START, VECTOR, WORDS
from heedful.search.ranking.statistics import BestRow

PROBES = 150  # partitions of the approximate index per search: 30 % of them with a million rows
REFINE = 5  # factor of extra rows that are re-ranked by their full vectors
_SCORES = ("_distance", "_score")

Vector = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Candidate:
    """A row of the table. A row of an old index has no words, and is a whole document."""

    row: Mapping[str, Any]  # all columns except the vector
    vector: Vector

    @property
    def columns(self) -> dict[str, Any]:
        """The columns that the user gave."""
        return {name: value for name, value in self.row.items() if name not in HIDDEN}

    @property
    def part(self) -> int:
        """The number of the passage, from 0."""
        return int(self.row.get(PART) or 0)

    @property
    def n_parts(self) -> int:
        """The number of passages of the document."""
        return int(self.row.get(PARTS) or 1)

    @property
    def start(self) -> int:
        """The offset of the passage in the document."""
        return int(self.row.get(START) or 0)

    @cached_property
    def forms(self) -> list[str]:
        """The terms."""
        return str(self.row.get(WORDS) or "").split()

    def cosine(self, vector: Vector) -> float:
        """Return the cosine with a unit vector."""
        return max(-1.0, min(1.0, float(self.vector @ vector)))


def by_meaning(rows: Any, vector: Vector, n: int, columns: Sequence[str], where: str | None) -> list[Candidate]:
    """Return the n rows nearest to a unit vector, nearest first."""
    query = rows.search(vector, vector_column_name=VECTOR).distance_type("cosine")
    query = query.nprobes(PROBES).refine_factor(REFINE).select([*columns, "_distance"])
    return _candidates(query, n, where)


def by_words(rows: Any, terms: Sequence[str], n: int, columns: Sequence[str], where: str | None) -> list[Candidate]:
    """Return the n rows that rank first by BM25."""
    return _candidates(_match(rows, terms).select([*columns, "_score"]), n, where)


def best_row(rows: Any, term: str) -> BestRow | None:
    """Return the row that ranks first for a term; None if no row has it."""
    best = _match(rows, [term]).select([WORDS, "_score"]).limit(1).to_arrow().to_pylist()
    return BestRow(best[0]["_score"], best[0][WORDS].split()) if best else None


def make_word_index(rows: Any) -> None:
    """Create LanceDB's full-text index. Terms are made by us: it only splits them at spaces."""
    index = need("lancedb.index", feature="Search", extra="search")
    config = index.FTS(
        base_tokenizer="whitespace",
        lower_case=False,
        stem=False,
        remove_stop_words=False,
        ascii_folding=False,
        max_token_length=None,
    )
    rows.create_index(WORDS, config=config)


def _match(rows: Any, terms: Sequence[str]) -> Any:
    match = need("lancedb.query", feature="Search", extra="search").MatchQuery(" ".join(terms), WORDS)
    return rows.search(match, query_type="fts")


def _candidates(query: Any, n: int, where: str | None) -> list[Candidate]:
    if where is not None:
        query = query.where(where, prefilter=True)
    with filtered(where):
        table = query.limit(n).to_arrow()
    if not len(table):
        return []
    vectors = _vectors(table[VECTOR])
    plain = table.drop_columns([VECTOR, *(name for name in _SCORES if name in table.column_names)]).to_pylist()
    return [Candidate(row, vector) for row, vector in zip(plain, vectors, strict=True)]


def _vectors(column: Any) -> Vector:
    """Return a column of vectors as an array; lists of numbers would take most of the time of a search."""
    flat = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
    return np.asarray(flat, dtype=np.float32).reshape(len(column), -1)


@contextmanager
def filtered(where: str | None) -> Iterator[None]:
    """Turn LanceDB's filter errors into a message."""
    try:
        yield
    except (ValueError, RuntimeError) as error:
        if where is None:
            raise
        raise wrong_filter(where, error) from None
