"""Columns, and the order of the rows, that tell the label almost alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

BINS = 20  # of a column of numbers
FEWEST = 50  # rows
MUCH = 0.5  # share of the errors of always the most frequent label that a column must save
LONGEST = 200  # characters of a value


@dataclass(frozen=True)
class ColumnLeak:
    """A column that tells the label almost alone."""

    column: str  # "" for the order of the rows
    accuracy: float  # of the most frequent label for each value, on the other half of the rows
    base: float  # of the most frequent label for all rows
    example: str = ""  # a value, and what it stands for
    known: float = 1.0  # share of the rows whose value occurs in the other half


def column_leaks(
    columns: Mapping[str, Sequence[object]], labels: Sequence[str], *, seed: int = 0
) -> tuple[ColumnLeak, ...]:
    """Return the columns that tell the label of half of the rows by the other half, the best first."""
    if len(labels) < FEWEST or len(set(labels)) < 2:
        return ()
    is_first = np.random.default_rng([seed, 0xC01]).permutation(len(labels)) % 2 == 0
    base = Counter(labels).most_common(1)[0][1] / len(labels)
    leaks = []
    for name, values in columns.items():
        keys = _keys(values)
        right, known = _told(keys, labels, is_first.tolist())
        if right - base >= MUCH * (1 - base):
            leaks.append(ColumnLeak(name, right, base, _example(keys, labels), known))
    return tuple(sorted(leaks, key=lambda leak: -leak.accuracy))


def _told(keys: Sequence[Hashable], labels: Sequence[str], is_first: Sequence[bool]) -> tuple[float, float]:
    """Return the accuracy of each half by the other, and the share of rows whose value the other half has."""
    right = known = 0
    for half in (True, False):
        counts: dict[Hashable, Counter[str]] = defaultdict(Counter)
        for key, label, side in zip(keys, labels, is_first, strict=True):
            if side is half:
                counts[key][label] += 1
        usual = Counter(label for label, side in zip(labels, is_first, strict=True) if side is half).most_common(1)
        best = {key: each.most_common(1)[0][0] for key, each in counts.items()}
        for key, label, side in zip(keys, labels, is_first, strict=True):
            if side is not half:
                known += key in best
                right += best.get(key, usual[0][0] if usual else "") == label
    return right / len(labels), known / len(labels)


def _keys(values: Sequence[object]) -> list[Hashable]:
    """Return values by which rows are grouped: numbers that rarely repeat by their size, others as they are."""
    cells = ["" if value is None else str(value)[:LONGEST] for value in values]
    if len(set(cells)) <= max(BINS, len(cells) // 5):
        return list(cells)
    numbers = _numbers(cells)
    if numbers is None:
        return list(cells)
    edges = np.quantile(numbers, np.linspace(0, 1, BINS + 1)[1:-1])
    return [
        f"from {edges[i - 1]:g}" if i else f"below {edges[0]:g}" for i in np.searchsorted(edges, numbers, side="right")
    ]


def _numbers(cells: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
    try:
        numbers = np.array([float(cell) for cell in cells])
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _example(keys: Sequence[Hashable], labels: Sequence[str]) -> str:
    counts: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for key, label in zip(keys, labels, strict=True):
        counts[key][label] += 1
    best = max(counts, key=lambda key: counts[key].most_common(1)[0][1])
    label, n = counts[best].most_common(1)[0]
    return f"{best or 'an empty cell'}: {label} in {n:,} of {counts[best].total():,} rows"
