"""The terms of a query with their rarity in an index, as LanceDB's full-text index counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from heedful.runtime.cancel import check_wanted
from heedful.text.terms.bm25 import K1, B, WordQuery, query_terms, rarity

MAX_KNOWN = 10_000  # terms whose rarity is kept


class BestRow(NamedTuple):
    """The row that LanceDB ranks first for one term: its score and its terms."""

    score: float
    forms: Sequence[str]


class TermStatistics:
    """Rarity of terms in one version of a table.

    LanceDB does not tell in how many rows a term occurs, but it tells the score of a row for one term, which is
    rarity · (k1 + 1) · tf / (tf + k1 (1 - b + b length / mean length)); all except the rarity is known.
    """

    def __init__(
        self, version: int, n_rows: int, mean_length: float, best_row: Callable[[str], BestRow | None]
    ) -> None:
        self.version, self._n_rows, self._mean_length, self._best_row = version, n_rows, mean_length, best_row
        self._known: dict[str, float] = {}

    def query(self, text: str) -> WordQuery:
        """Return the terms of a query with their weights."""
        counts: Counter[str] = query_terms(text)
        return WordQuery({form: n * self._rarity(form) for form, n in counts.items()}, self._mean_length)

    def _rarity(self, form: str) -> float:
        if (known := self._known.get(form)) is not None:
            return known
        check_wanted()  # a long query with new terms takes seconds
        best = self._best_row(form)
        value = rarity(0, self._n_rows) if best is None else self._rarity_in(form, best)
        if len(self._known) < MAX_KNOWN:
            self._known[form] = value
        return value

    def _rarity_in(self, form: str, best: BestRow) -> float:
        tf = max(1, sum(own == form for own in best.forms))
        saturation = K1 * (1 - B + B * len(best.forms) / max(self._mean_length, 1e-9))
        return max(1e-6, best.score * (tf + saturation) / (tf * (K1 + 1)))
