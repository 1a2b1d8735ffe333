"""A check, stage by stage; stopped at any time, it has the results of the stages before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from heedful.data.quality.duplicates import DuplicateRows
from heedful.errors import MissingExtraError, listed
from heedful.explain.check.label_shortcuts import word_shortcuts
from heedful.explain.check.results import Check, CheckedRow
from heedful.jobs.check.assemble import SHOWN, Assembler
from heedful.jobs.check.judge import Judgement, has_seen, judge_by_model, judge_out_of_fold
from heedful.jobs.check.label_check import Judged, Result, check_labels
from heedful.jobs.check.label_facts import label_facts, leaking_columns
from heedful.jobs.check.scan import SampledRow, Scan
from heedful.jobs.check.source import DataSource
from heedful.runtime.model import Model

MOST_ROWS = 20_000
MOST_CHARACTERS = 5_000_000  # of the rows that are judged, unless a number of rows is asked for
MOST_LABELS = 1_000
FEWEST_ROWS = 30  # to judge labels
OnStage = Callable[[str, int, int], None]  # stage, done, total (0 if it is not known)


class CheckRun:
    """Reads the data, then judges it. Each stage adds its results."""

    def __init__(
        self,
        data: DataSource,
        test: DataSource | None,
        model: Model | None,
        *,
        rows: int,
        seed: int,
        on_stage: OnStage,
    ) -> None:
        self._data, self._test, self._model = data, test, model
        self._rows, self._seed, self._on_stage = rows, seed, on_stage
        self._scan = Scan(rows or 10**12, seed)
        self._test_labels: list[str | None] = []
        self._groups: Mapping[int, int] = {}  # of rows in a group of duplicates: its first row
        self.duplicate_rows: DuplicateRows | None = None
        self._labels: Result | None = None
        self._names: list[str] = []
        self._found: dict[str, Any] = {}
        self._notes = list(data.notes)
        self.is_stopped = False

    @property
    def summaries(self) -> list[str]:
        """What was detected in the file."""
        return list(self._data.faults.summaries.values())

    def go(self, *, labels: bool, curve: bool) -> None:
        """Run all stages; Ctrl-C ends them."""
        try:
            self._scan.read(self._data, lambda n: self._on_stage("reading rows", n, 0))
            self._facts()
            self._duplicates()
            if self._data.label is not None:
                self._columns()
                if labels:
                    self._judge(with_curve=curve)
                else:
                    self._notes.append("Labels were not judged, as asked.")
        except KeyboardInterrupt:
            self.is_stopped = True

    def _facts(self) -> None:
        if self._data.faults.n:
            self._notes.append(_unreadable(self._data))
        if not self._scan.n:
            return
        self._found["faulty_rows"] = self._assembler().faulty(self._scan.facts.faults())

    def _duplicates(self) -> None:
        """Find duplicates, and test rows among the training rows."""
        scan = self._scan
        if self._test is not None:
            for row in self._test.rows(self._test.faults):
                scan.finder.add(row.text)
                self._test_labels.append(row.label)
        self._on_stage("finding duplicates", 0, 0)
        assembler = self._assembler()
        duplicates = scan.finder.result(lambda rows: {i: row.text for i, row in self._rows_of(rows).items()})
        self.duplicate_rows = duplicates
        self._groups = {i: group[0] for group in (*duplicates.exact, *duplicates.near) for i in group}
        self._found["duplicates"] = assembler.duplicates(duplicates)
        if duplicates.is_estimate:
            self._notes.append("There are so many duplicates that some near ones were compared by estimate.")
        if self._test is not None:
            self._found["leaks"] = assembler.leaks(duplicates, self._test.name, len(self._test_labels))

    def _columns(self) -> None:
        sample = self._sample()
        self._found["leaking_columns"] = leaking_columns(sample, np.array(self._scan.labels, dtype=np.int64))
        self._on_stage("counting words", 0, 0)
        self._found["shortcuts"] = word_shortcuts([row.text for row in sample], [row.label for row in sample])

    def _judge(self, *, with_curve: bool) -> None:
        sample = self._judged_rows()
        if sample is None:
            return
        counts = Counter(row.label for row in sample)
        self._names = sorted(counts)
        numbers = {name: i for i, name in enumerate(self._names)}
        truth = np.array([numbers[row.label] for row in sample], dtype=np.int64)
        judgement = self._judgement(sample, truth, with_curve=with_curve)
        if judgement is None:
            return
        rows = self._row_places(sample)
        judged = Judged(rows, truth, self._names)
        is_sample = len(sample) < self._scan.n_labelled
        self._labels = check_labels(judged, judgement, is_sample=is_sample, on_stage=self._on_stage)
        self._found |= {"label_check": self._labels.check, "curve": judgement.curve}
        if is_sample:
            self._notes.append(
                f"Labels were judged on a random sample of {len(sample):,} of {self._scan.n_labelled:,} rows: set rows "
                "(--rows) for more; 0 is all."
            )

    def _judged_rows(self) -> list[SampledRow] | None:
        """Return the rows whose labels are judged; None, with a note, if they cannot be."""
        sample, n_labels = self._sample(), len(self._scan.names)
        if self._model is not None:
            known = set(self._model.labels)
            if others := sorted({row.label for row in sample} - known):
                self._notes.append(f"Not among the labels of {self._model.path.name}: {listed(others)}.")
            sample = [row for row in sample if row.label in known]
        if len(sample) < FEWEST_ROWS or len({row.label for row in sample}) < 2:
            why = f"that takes {FEWEST_ROWS} rows and two labels"
            self._notes.append(f"Labels were not judged: {why}.")
            return None
        if n_labels > min(MOST_LABELS, self._scan.n_labelled / 2):
            what = f"{self._data.label} has {n_labels:,} different values, as a number or a text has"
            self._notes.append(f"Labels were not judged: {what}.")
            return None
        return sample

    def _judgement(self, sample: list[SampledRow], truth: Any, *, with_curve: bool) -> Judgement | None:
        texts = [row.text for row in sample]
        if self._model is not None:
            if not has_seen(self._model, texts):
                return judge_by_model(self._model, texts, self._names, on_stage=self._on_stage)
            self._notes.append(
                f"{self._model.path.name} was trained on rows of this file, whose labels it has learned: out-of-fold "
                "regressions judge them instead."
            )
        groups = np.array([self._groups.get(row.index, row.index) for row in sample], dtype=np.int64)
        try:
            return judge_out_of_fold(
                texts, truth, len(self._names), groups, with_curve=with_curve, seed=self._seed, on_stage=self._on_stage
            )
        except MissingExtraError as error:
            self._notes.append(f"Labels were not judged, and more data was not tried: {error}")
            return None

    def _sample(self) -> list[SampledRow]:
        """Return the labelled rows of the sample in order; fewer of them if texts are long."""
        sample = self._scan.sample
        if not self._rows or self._rows != MOST_ROWS:
            return sorted(sample, key=lambda row: row.index)
        order = np.random.default_rng([self._seed, 0x5A]).permutation(len(sample))
        sizes = np.cumsum([len(sample[i].text) for i in order])
        return sorted((sample[i] for i in order[sizes <= MOST_CHARACTERS]), key=lambda row: row.index)

    def _row_places(self, sample: list[SampledRow]) -> list[CheckedRow]:
        """Return the rows with their lines, which are read again."""
        lines = {i: (row.line, row.file) for i, row in self._data.texts_of({row.index for row in sample}).items()}
        nowhere = (0, None)
        return [
            CheckedRow(row.index + 1, place[0], row.text[:SHOWN], row.label, place[1])
            for row in sample
            for place in [lines.get(row.index, nowhere)]
        ]

    def _rows_of(self, indexes: Any) -> dict[int, Any]:
        n = self._scan.n
        rows = dict(self._data.texts_of({i for i in indexes if i < n}))
        if self._test is not None:
            rows |= {i + n: row for i, row in self._test.texts_of({i - n for i in indexes if i >= n}).items()}
        return rows

    def _assembler(self) -> Assembler:
        names = list(self._scan.names)

        def label_of(row: int) -> str | None:
            if row >= self._scan.n:
                return self._test_labels[row - self._scan.n]
            code = self._scan.labels[row]
            return names[code] if code >= 0 else None

        test = None if self._test is None else self._test.texts_of
        return Assembler(self._scan.n, self._data.texts_of, test, label_of)

    def result(self) -> Check:
        """Return what is known."""
        if self.is_stopped:
            self._notes.insert(0, f"Stopped after {self._scan.n:,} rows were read: this is what was known by then.")
        return Check(
            file=self._data.name,
            n_rows=self._scan.n,
            text_column=self._data.text,
            label_column=self._data.label,
            labels=label_facts(self._scan, self._names, self._labels),
            notes=tuple(self._notes),
            is_stopped=self.is_stopped,
            **self._found,
        )


def _unreadable(data: DataSource) -> str:
    n = data.faults.n
    return f"{n:,} {'row' if n == 1 else 'rows'} could not be read and left out. The first: {data.faults.first[0]}"
