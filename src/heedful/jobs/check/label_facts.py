"""Facts about labels that need no model: their numbers, and the columns that tell them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heedful.data.quality.columns import column_leaks
from heedful.explain.check.results import LabelFacts, Leak
from heedful.jobs.check.label_check import ENOUGH, Result
from heedful.jobs.check.scan import SampledRow, Scan

RARE = 10  # rows: a label with fewer can hardly be learned
SORTED, COMMON = 0.9, 0.8  # share of rows that have the label of the row before; of the most frequent label
FEWEST = 30  # rows by which an order can be seen


def label_facts(scan: Scan, judged: Sequence[str], result: Result | None) -> tuple[LabelFacts, ...]:
    """Return each label with its number of rows, the most frequent first; `judged` are the labels of the result."""
    codes = np.array(scan.labels, dtype=np.int64)
    counts = np.bincount(codes[codes >= 0], minlength=len(scan.names)).tolist()
    places = {name: i for i, name in enumerate(judged)}
    ordered = sorted(zip(scan.names, counts, strict=True), key=lambda each: (-each[1], each[0]))
    return tuple(_fact(name, n, result, places.get(name)) for name, n in ordered)


def _fact(name: str, n: int, result: Result | None, place: int | None) -> LabelFacts:
    if result is None or place is None or result.n_checked[place] < ENOUGH:
        return LabelFacts(name, n, is_rare=n < RARE)
    numbers = int(result.n_checked[place]), int(result.n_suspects[place]), float(result.agreement[place])
    return LabelFacts(name, n, *numbers, is_rare=n < RARE)


def leaking_columns(sample: Sequence[SampledRow], codes: NDArray[np.int64]) -> tuple[Leak, ...]:
    """Return the columns that tell the label almost alone, and the order of the rows if it does.

    `codes` are the numbers of the labels of all rows, less than 0 without a label.
    """
    names = dict.fromkeys(name for row in sample for name in row.cells)
    cells = {name: [row.cells.get(name, "") for row in sample] for name in names}
    leaks = column_leaks(cells, [row.label for row in sample])
    return (*(Leak(leak.column, leak.accuracy, leak.base, leak.example) for leak in leaks), *_order(codes[codes >= 0]))


def _order(codes: NDArray[np.int64]) -> list[Leak]:
    """Return whether rows are sorted by label: a file that is split in order would train on some of the labels only."""
    if len(codes) < FEWEST:
        return []
    base = float((np.bincount(codes) / len(codes)).max())
    same = float((codes[1:] == codes[:-1]).mean())
    return [Leak("", same, base, "")] if same >= SORTED and base < COMMON else []
