"""One pass over the data: facts about every row, and a sample of labelled rows to judge."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field

from heedful.data.quality.duplicates import DuplicateFinder
from heedful.data.quality.row_facts import RowFacts
from heedful.jobs.check.source import DataRow, DataSource

MOST_COLUMNS = 50  # besides text and label, that are looked at for leaks
LONGEST_CELL = 200  # characters
LONGEST_TEXT = 10_000  # characters of a text of the sample
EVERY = 2_000  # rows between reports
MOST_NAMES = 100_000  # different labels that are counted

OnRows = Callable[[int], None]


@dataclass(frozen=True)
class SampledRow:
    """A labelled row of the sample."""

    index: int
    text: str
    label: str
    cells: dict[str, str]  # of the other columns


@dataclass
class Scan:
    """What one pass tells of the data."""

    most: int  # rows of the sample
    seed: int = 0
    n: int = 0
    n_labelled: int = 0  # rows with a label and a text
    facts: RowFacts = field(default_factory=RowFacts)
    finder: DuplicateFinder = field(default_factory=DuplicateFinder)
    names: dict[str, int] = field(default_factory=dict)  # of labels
    labels: array[int] = field(default_factory=lambda: array("l"))  # of each row: its label's number, -1 without
    sample: list[SampledRow] = field(default_factory=list)
    is_whole: bool = False

    def __post_init__(self) -> None:
        """Prepare the choice of the sample."""
        self._rng = random.Random(self.seed)

    def read(self, data: DataSource, on_rows: OnRows) -> None:
        """Take all rows."""
        for row in data.rows(data.faults):
            self._add(row, data)
            if self.n % EVERY == 0:
                on_rows(self.n)
        self.is_whole = True
        on_rows(self.n)

    def _add(self, row: DataRow, data: DataSource) -> None:
        self.n += 1
        self.facts.add(row.text, has_label=data.label is None or row.label is not None)
        self.finder.add(row.text)
        if row.label is None or (row.label not in self.names and len(self.names) >= MOST_NAMES):
            self.labels.append(-1)
            return
        self.labels.append(self.names.setdefault(row.label, len(self.names)))
        if row.text.strip():
            self.n_labelled += 1
            self._choose(row, data)

    def _choose(self, row: DataRow, data: DataSource) -> None:
        """Keep a random sample of at most so many rows."""
        place = len(self.sample) if len(self.sample) < self.most else self._rng.randrange(self.n_labelled)
        if place >= self.most:
            return
        own = (data.text, data.label)
        others = [name for name in row.values if name not in own][:MOST_COLUMNS]
        cells = {name: _cell(row.values[name]) for name in others}
        chosen = SampledRow(row.number, row.text[:LONGEST_TEXT], row.label or "", cells)
        if place == len(self.sample):
            self.sample.append(chosen)
        else:
            self.sample[place] = chosen


def _cell(value: object) -> str:
    return "" if value is None else str(value)[:LONGEST_CELL]
