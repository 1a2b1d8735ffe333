"""A table of suspicious rows to correct the labels in, and a new file with the corrections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from heedful.data.bad_rows import BadRows
from heedful.data.quality.shingles import digest
from heedful.data.read import read_rows
from heedful.errors import DataError, did_you_mean, listed
from heedful.explain.check.results import Check
from heedful.jobs.check.source import DataRow, DataSource
from heedful.jobs.output.sinks import open_sink

ROW, TEXT, LABEL, SUGGESTED, CORRECT, KEY = "row", "text", "label", "suggested", "correct", "key"
COLUMNS = (ROW, "line", TEXT, LABEL, SUGGESTED, "probability", "words", "why", KEY, CORRECT)
WRONG, CONFLICT = "probably a wrong label", "same text, other label"
CHUNK = 1_000


@dataclass(frozen=True)
class Fix:
    """A correction: the row it is for, what it should hold now, and its new label."""

    row: int
    label: str
    key: str
    correct: str
    line: int  # of the table of corrections


def key_of(text: str) -> str:
    """Return a short hash of a text, by which a row is recognised again."""
    return f"{digest(text) >> 32:08x}"


def write_fixes(check: Check, data: DataSource, path: Path) -> int:
    """Write the suspicious rows to a table, with an empty column for the right label. Return their number."""
    rows = list(_fix_rows(check, data))
    with open_sink(path, safe_csv=True) as sink:
        sink.write(rows or [dict.fromkeys(COLUMNS, "")])
    return len(rows)


def _fix_rows(check: Check, data: DataSource) -> Iterator[dict[str, Any]]:
    suspects = {suspect.row.row: suspect for suspect in check.suspects}
    groups = check.duplicates.groups if check.duplicates else ()
    conflicts = [row for group in groups if group.has_conflict for row in group.rows if row.row not in suspects]
    wanted = [*suspects, *dict.fromkeys(row.row for row in conflicts)]
    full = data.texts_of({row - 1 for row in wanted})
    for number in wanted:
        row, suspect = full[number - 1], suspects.get(number)
        values = (
            number,
            row.line,
            row.text,
            row.label or "",
            suspect.suggested if suspect else "",
            f"{suspect.probability:.3f}" if suspect else "",
            ", ".join(suspect.top(5)) if suspect else "",
            WRONG if suspect else CONFLICT,
            key_of(row.text),
            "",
        )
        yield dict(zip(COLUMNS, values, strict=True))


def read_fixes(path: Path) -> dict[int, Fix]:
    """Return the corrections of a table, those of its rows in which a right label was filled in."""
    fixes: dict[int, Fix] = {}
    for row in read_rows(path, faults=BadRows(), is_table=True):
        if missing := [name for name in (ROW, LABEL, KEY, CORRECT) if name not in row.values]:
            raise DataError(path, f"no column {missing[0]}, which the table of --fixes has; found {listed(row.values)}")
        correct = _unquoted(str(row.values[CORRECT] or "").strip())
        if not correct:
            continue
        number = _number(path, row.values[ROW], row.line)
        if number in fixes and fixes[number].correct != correct:
            raise DataError(path, f"row {number:,} is corrected twice, in different ways", line=row.line)
        fixes[number] = Fix(
            number, _unquoted(str(row.values[LABEL] or "").strip()), str(row.values[KEY]), correct, row.line
        )
    return fixes


def _unquoted(cell: str) -> str:
    """Return a cell without the apostrophe that keeps a spreadsheet from running it."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in ("=", "+", "-", "@") else cell


def _number(path: Path, cell: Any, line: int) -> int:
    try:
        return int(float(cell))
    except (TypeError, ValueError, OverflowError):
        raise DataError(path, f"row is {cell!r:.40}, expected a number", line=line) from None


def apply_fixes(data: DataSource, fixes: dict[int, Fix], path: Path, out: Path, *, new_labels: bool = False) -> int:
    """Write a new file in which the corrected rows have their new label. Return how many changed."""
    if data.label is None:
        raise DataError(data.name, "no label column to correct: set label")
    if not fixes:
        raise DataError(path, f"no corrections: fill in the column {CORRECT}")
    _check(data, fixes, path, new_labels=new_labels)
    changed = 0
    with open_sink(out) as sink:
        rows = data.rows(BadRows(form=data.form))
        while chunk := list(islice(rows, CHUNK)):
            sink.write([_corrected(row, data.label, fixes.get(row.number + 1)) for row in chunk])
            changed += sum(row.number + 1 in fixes and fixes[row.number + 1].correct != row.label for row in chunk)
    return changed


def _check(data: DataSource, fixes: Mapping[int, Fix], path: Path, *, new_labels: bool) -> None:
    """Raise, before anything is written, if the data have changed since, or a label is misspelled."""
    known: set[str] = set()
    left = dict(fixes)
    for row in data.rows(BadRows(form=data.form)):
        if row.label is not None:
            known.add(row.label)
        if (fix := left.pop(row.number + 1, None)) is None:
            continue
        if key_of(row.text) != fix.key or (row.label or "") != fix.label:
            problem = f"row {fix.row:,} of {data.name} is not the one in this table: was the file changed since?"
            raise DataError(path, problem, line=fix.line)
    if left:
        raise DataError(path, f"{data.name} has no row {min(left):,}: is this the table of another file?")
    for fix in fixes.values():
        if fix.correct not in known and not new_labels:
            problem = f"{fix.correct!r:.60} is not a label of {data.name}.{did_you_mean(fix.correct, known)}"
            raise DataError(path, f"{problem} Set new_labels (--new-labels) if it is a new label", line=fix.line)


def _corrected(row: DataRow, label: str, fix: Fix | None) -> dict[str, Any]:
    values = dict(row.values)
    if fix is not None and fix.correct != row.label:
        values[label] = _same_type(values.get(label), fix.correct)
    return values


def _same_type(before: Any, label: str) -> Any:
    """Return a label as the type of the one before it: a number stays a number."""
    if isinstance(before, bool) or not isinstance(before, int | float):
        return label
    try:
        return type(before)(label)
    except ValueError:
        return label
