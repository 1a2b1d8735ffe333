"""From numbers of rows to the rows themselves: duplicates, leaks and faulty rows as they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from heedful.data.quality.duplicates import DuplicateRows
from heedful.data.quality.row_facts import RowFault
from heedful.explain.check.results import CheckedRow, DuplicateGroup, Duplicates, FaultyRows, Leaks
from heedful.jobs.check.source import DataRow

MOST_GROUPS, ROWS_OF_GROUP, ROWS_OF_FAULT = 100, 6, 10
SHOWN = 600  # characters of a text

RowsOf = Callable[[Collection[int]], Mapping[int, DataRow]]
LabelOf = Callable[[int], str | None]  # of a row


def checked_row(row: DataRow, *, is_test: bool = False) -> CheckedRow:
    """Return a row as a result has it."""
    return CheckedRow(row.number + 1, row.line, row.text[:SHOWN], row.label, row.file, is_test)


class Assembler:
    """Makes results of row numbers; rows of a test file are numbered after those of the data."""

    def __init__(self, n: int, rows_of: RowsOf, test_rows_of: RowsOf | None, label_of: LabelOf) -> None:
        self._n, self._rows_of, self._test_rows_of, self._label_of = n, rows_of, test_rows_of, label_of

    def rows(self, indexes: Collection[int]) -> dict[int, CheckedRow]:
        """Return rows by their numbers, read again."""
        own = {i for i in indexes if i < self._n}
        rows = {i: checked_row(row) for i, row in self._rows_of(own).items()}
        if self._test_rows_of is not None and (tests := {i - self._n for i in indexes if i >= self._n}):
            more = self._test_rows_of(tests)
            rows |= {i + self._n: checked_row(row, is_test=True) for i, row in more.items()}
        return rows

    def faulty(self, faults: Sequence[RowFault]) -> tuple[FaultyRows, ...]:
        """Return the faults with their first rows."""
        rows = self.rows({row for fault in faults for row in fault.rows[:ROWS_OF_FAULT]})
        return tuple(
            FaultyRows(fault.kind, fault.n, _known(rows, fault.rows[:ROWS_OF_FAULT]), fault.detail) for fault in faults
        )

    def duplicates(self, found: DuplicateRows) -> Duplicates:
        """Return the duplicates among the rows of the data itself."""
        groups = [own for group in merged(found) if len(own := [i for i in group if i < self._n]) > 1]
        n_exact = sum(len(own) - 1 for group in found.exact if len(own := [i for i in group if i < self._n]) > 1)
        n_all = sum(len(group) - 1 for group in groups)
        conflicts = {tuple(group) for group in groups if len(self._labels(group)) > 1}
        order = sorted(groups, key=lambda group: (tuple(group) not in conflicts, -len(group)))[:MOST_GROUPS]
        return Duplicates(n_exact, n_all - n_exact, len(conflicts), self._groups(order, found), found.is_estimate)

    def leaks(self, found: DuplicateRows, name: str, n_rows: int) -> Leaks:
        """Return the test rows that are also rows of the data."""
        shared = [group for group in merged(found) if group[0] < self._n <= group[-1]]
        exact = {i for group in found.exact if group[0] < self._n for i in group if i >= self._n}
        leaked = {i for group in shared for i in group if i >= self._n}
        order = sorted(shared, key=lambda group: (len(self._labels(group)) < 2, -len(group)))[:MOST_GROUPS]
        return Leaks(name, n_rows, len(exact), len(leaked - exact), self._groups(order, found))

    def _labels(self, group: Sequence[int]) -> Counter[str]:
        return Counter(label for i in group if (label := self._label_of(i)) is not None)

    def _groups(self, groups: Sequence[Sequence[int]], found: DuplicateRows) -> tuple[DuplicateGroup, ...]:
        chosen = [self._varied(group) for group in groups]
        rows = self.rows({i for group in chosen for i in group})
        return tuple(
            DuplicateGroup(
                n=len(group),
                rows=_known(rows, shown),
                is_exact=not any(i in found.nearest for i in group),
                similarity=max((found.nearest[i][1] for i in group if i in found.nearest), default=1.0),
                labels=tuple(self._labels(group).most_common()),
            )
            for group, shown in zip(groups, chosen, strict=True)
        )

    def _varied(self, group: Sequence[int]) -> list[int]:
        """Return the rows of a group that are shown: one of each label and side first."""
        first: dict[tuple[str | None, bool], int] = {}
        for i in group:
            first.setdefault((self._label_of(i), i >= self._n), i)
        rest = [i for i in group if i not in set(first.values())]
        return sorted([*first.values(), *rest][:ROWS_OF_GROUP])


def merged(found: DuplicateRows) -> list[tuple[int, ...]]:
    """Return all groups: near ones, and exact ones that are not within these."""
    within = {i for group in found.near for i in group}
    return [*found.near, *(group for group in found.exact if group[0] not in within)]


def _known(rows: Mapping[int, CheckedRow], indexes: Sequence[int]) -> tuple[CheckedRow, ...]:
    return tuple(rows[i] for i in indexes if i in rows)
