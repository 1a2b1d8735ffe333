"""Choosing the forms to list for a label."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heedful.explain.words.form_table import FormTable
from heedful.explain.words.label_words import LabelWord
from heedful.explain.words.occurrences import Key, is_within
from heedful.explain.words.text_parts import Values
from heedful.metrics.bootstrap import interval

PRIOR = 4.0  # texts that the spread over all forms of a label counts for, in the spread of each
STANDS_FOR = 0.8  # share of a form's texts from which a longer phrase stands for it


class Candidate(NamedTuple):
    """A form that may be listed."""

    table: FormTable
    key: Key
    row: int
    rank: float
    n_texts: int


def ranks(table: FormTable) -> tuple[Values, Values]:
    """Return means and ranks (form, label); a rank of 0 or less is not worth listing.

    The rank is |mean| · √n − 2 · deviation, for n texts: √n times the end of the mean's 95 % interval (by the normal
    approximation) that is nearer to 0. The mean alone would put words of one odd text first; mean · n, the sum, would
    put "the" first. mean · √n lies between, and the second term leaves out a form whose sign is not certain. The
    deviation of a form with few texts is drawn towards that of all forms.
    """
    n = table["texts"].astype(np.float64)
    means = table["means"] / np.maximum(n, 1)
    squares = np.maximum(table["squares"] - n * means**2, 0.0)  # sum of squared deviations
    freedom = np.maximum(n - 1, 0.0)
    common = squares.sum(axis=0) / np.maximum(freedom.sum(axis=0), 1)  # (label,)
    deviations = np.sqrt((squares + PRIOR * common) / (freedom + PRIOR))
    return means, np.where(n > 0, np.abs(means) * np.sqrt(n) - 2 * deviations, 0.0)


class Ranking:
    """The means and ranks of all forms."""

    def __init__(self, tables: tuple[FormTable, ...], *, min_count: int) -> None:
        self._min_count = min_count
        self._tables = [(table, list(table.rows), *ranks(table)) for table in tables]

    def best(self, label: int, sign: int, top: int) -> list[Candidate]:
        """Return the `top` forms of a label whose mean has this sign, strongest first."""
        candidates = [
            Candidate(table, keys[row], row, float(rank[row, label]), int(table["texts"][row, label]))
            for table, keys, means, rank in self._tables
            for row in self._rows(table, means[:, label] * sign, rank[:, label], label)[: 10 * top]
        ]
        chosen: list[Candidate] = []
        for candidate in sorted(candidates, key=lambda form: -form.rank):
            if len(chosen) < top and not any(_stands_for(other, candidate) for other in chosen):
                chosen.append(candidate)
        return chosen

    def _rows(self, table: FormTable, means: Values, rank: Values, label: int) -> list[int]:
        is_listed = (means > 0) & (rank > 0) & (table["texts"][:, label] >= self._min_count)
        rows: NDArray[np.int64] = np.flatnonzero(is_listed)
        listed: list[int] = rows[np.argsort(-rank[rows], kind="stable")].tolist()
        return listed


def _stands_for(longer: Candidate, form: Candidate) -> bool:
    return is_within(form.key, longer.key) and longer.n_texts >= STANDS_FOR * form.n_texts


def label_word(form: Candidate, label: int, *, seed: int) -> LabelWord:
    """Return a listed form with its interval.

    Texts are resampled, not occurrences: those of one text are alike. If only a sample of the texts was kept, its
    interval is narrowed to the number of all.
    """
    table, row = form.table, form.row
    mean = float(table["means"][row, label]) / form.n_texts
    _, values = table.sample(row, label)
    sampled, scale = interval(values, seed=seed), (len(values) / form.n_texts) ** 0.5
    has_values = len(values) > 0
    return LabelWord(
        form="".join(form.key),
        n_words=len(form.key),
        count=int(table["counts"][row, label]),
        n_texts=form.n_texts,
        mean=mean,
        low=mean + (sampled.low - sampled.mean) * scale if has_values else mean,
        high=mean + (sampled.high - sampled.mean) * scale if has_values else mean,
    )
