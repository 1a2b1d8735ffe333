"""Exact and near duplicates among rows that are seen once, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heedful.data.quality.near_pairs import MOST_COMPARED, Groups, candidate_pairs, similar_pairs
from heedful.data.quality.shingles import Signatures, Signer, digest, plain_form

BLOCK = 4_096  # rows whose signatures are made at once
TextsOf = Callable[[Collection[int]], Mapping[int, str]]


@dataclass(frozen=True)
class DuplicateRows:
    """Groups of rows with the same text, and with nearly the same text. Rows are numbered from 0."""

    exact: tuple[tuple[int, ...], ...]  # alike except for case, punctuation and spaces
    near: tuple[tuple[int, ...], ...]  # connected by pairs that share most of their characters; exact ones included
    nearest: Mapping[
        int, tuple[int, float]
    ]  # the most similar other text of a near one: its first row, and how similar
    is_estimate: bool = False  # whether some pairs were compared by signatures alone


class DuplicateFinder:
    """Takes texts one by one, and finds the duplicates at the end. A text needs about 300 bytes, not its own length."""

    def __init__(self, *, seed: int = 0) -> None:
        self._signer = Signer(seed=seed)
        self._rows: dict[int, int] = {}  # of each different text, by digest: its first row
        self._same: list[tuple[int, int]] = []  # a later row, and the first with the same text
        self._distinct: list[NDArray[np.int64]] = []
        self._signatures: list[Signatures] = []
        self._forms: list[str] = []
        self._block: list[int] = []
        self.n = 0

    def add(self, text: str) -> None:
        """Take the text of the next row. Empty texts are not duplicates of each other."""
        row, form = self.n, plain_form(text)
        self.n += 1
        if not form:
            return
        first = self._rows.setdefault(digest(form), row)
        if first != row:
            self._same.append((row, first))
            return
        self._forms.append(form)
        self._block.append(row)
        if len(self._forms) >= BLOCK:
            self._sign()

    def _sign(self) -> None:
        if self._forms:
            self._signatures.append(self._signer.signatures(self._forms))
            self._distinct.append(np.array(self._block, dtype=np.int64))
            self._forms, self._block = [], []

    def result(self, texts_of: TextsOf) -> DuplicateRows:
        """Return the groups. `texts_of` reads the texts of some rows again."""
        self._sign()
        self._rows = {}
        exact = Groups()
        exact.join_all(*zip(*self._same, strict=True)) if self._same else None
        first, second, estimates = self._candidates()
        wanted = np.union1d(first, second)
        is_estimate = len(wanted) > MOST_COMPARED
        texts = texts_of(set(wanted[:MOST_COMPARED].tolist()))
        near = similar_pairs(first, second, estimates, texts)
        return DuplicateRows(_groups(exact), _all_groups(self._same, near), _nearest(*near), is_estimate)

    def _candidates(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        if not self._signatures:
            return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
        rows, signatures = np.concatenate(self._distinct), np.concatenate(self._signatures)
        self._signatures = []
        first, second, estimates = candidate_pairs(signatures)
        return rows[first], rows[second], estimates


def _groups(groups: Groups) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(rows) for rows in groups.members().values())


def _all_groups(
    same: Sequence[tuple[int, int]], near: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
) -> tuple[tuple[int, ...], ...]:
    """Return the groups with at least one near pair, with all rows that have the same text as a member."""
    both, roots = Groups(), set()
    both.join_all(near[0].tolist(), near[1].tolist())
    roots = {row for side in near[:2] for row in side.tolist()}
    for row, first in same:
        if first in roots:
            both.join(row, first)
    return _groups(both)


def _nearest(
    first: NDArray[np.int64], second: NDArray[np.int64], values: NDArray[np.float64]
) -> dict[int, tuple[int, float]]:
    best: dict[int, tuple[int, float]] = {}
    for a, b, value in zip(first.tolist(), second.tolist(), values.tolist(), strict=True):
        for row, other in ((a, b), (b, a)):
            if row not in best or value > best[row][1]:
                best[row] = other, value
    return best
