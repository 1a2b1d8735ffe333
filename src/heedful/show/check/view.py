"""What is drawn of a check, as plain values: numbers, shades and sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from heedful.explain.check.results import Check, Confusion, FaultyRows, LabelFacts
from heedful.show.check import wording as words
from heedful.show.check.row_views import (
    LEAST,
    GroupView,
    Part,
    RowView,
    SuspectView,
    group_view,
    row_view,
    suspect_view,
)
from heedful.show.kit.text.numbers import number, percent
from heedful.show.kit.text.sanitise import one_line

Level = Literal["bad", "look", "good", "info"]
MARKS: dict[Level, str] = {"bad": "!", "look": "?", "good": "✓", "info": "i"}
MEANINGS: dict[Level, str] = {
    "bad": "look at this first",
    "look": "worth a look",
    "good": "nothing found",
    "info": "for information",
}
MOST_SUSPECTS, MOST_LABELS, MOST_GROUPS = 100, 200, 30


@dataclass(frozen=True)
class Finding:
    """A line of the summary."""

    key: str
    name: str
    sentence: str
    level: Level

    @property
    def mark(self) -> str:
        """A sign for the level."""
        return MARKS[self.level]

    @property
    def meaning(self) -> str:
        """The level in words."""
        return MEANINGS[self.level]


@dataclass(frozen=True)
class LabelView:
    """A label in the table; widths are shares of the longest bar."""

    label: str
    n: str
    width: float
    wrong_width: float
    suspects: str
    agreement: str
    is_rare: bool


@dataclass(frozen=True)
class ConfusionView:
    """Two labels that are confused."""

    given: str
    suggested: str
    sentence: str
    words: tuple[Part, ...]
    rows: tuple[RowView, ...]


@dataclass(frozen=True)
class FaultView:
    """Rows with a fault."""

    sentence: str
    advice: str
    rows: tuple[RowView, ...]


@dataclass(frozen=True)
class CheckView:
    """Everything to see of a check."""

    title: str
    about: str
    findings: tuple[Finding, ...]
    suspects: tuple[SuspectView, ...]
    n_more_suspects: int
    account: str
    labels: tuple[LabelView, ...]
    n_more_labels: int
    confusions: tuple[ConfusionView, ...]
    duplicates: tuple[GroupView, ...]
    leaks: tuple[GroupView, ...]
    shortcuts: tuple[str, ...]
    faults: tuple[FaultView, ...]
    columns: tuple[str, ...]
    notes: tuple[str, ...]
    is_stopped: bool


def view(check: Check) -> CheckView:
    """Return what is to see of a check."""
    duplicates = check.duplicates.groups if check.duplicates else ()
    return CheckView(
        title=f"Check of {words.short(check.file)}",
        about=words.about(check),
        findings=tuple(_findings(check)),
        suspects=tuple(suspect_view(each) for each in check.suspects[:MOST_SUSPECTS]),
        n_more_suspects=max(0, (check.label_check.n_suspects if check.label_check else 0) - MOST_SUSPECTS),
        account=words.labels_account(check),
        labels=_labels(check.labels[:MOST_LABELS]),
        n_more_labels=max(0, len(check.labels) - MOST_LABELS),
        confusions=tuple(map(_confusion, check.label_check.confusions if check.label_check else ())),
        duplicates=tuple(map(group_view, duplicates[:MOST_GROUPS])),
        leaks=tuple(map(group_view, check.leaks.groups[:MOST_GROUPS] if check.leaks else ())),
        shortcuts=tuple(one_line(shortcut.sentence) for shortcut in check.shortcuts),
        faults=tuple(map(_fault, check.faulty_rows)),
        columns=tuple(map(words.column_sentence, check.leaking_columns)),
        notes=tuple(one_line(note) for note in check.notes),
        is_stopped=check.is_stopped,
    )


def _findings(check: Check) -> list[Finding]:
    found: list[Finding] = []
    if check.label_check:
        level: Level = "bad" if check.label_check.n_suspects else "good"
        found.append(Finding("labels", "Labels", words.labels_sentence(check), level))
    if any(label.is_rare for label in check.labels):
        found.append(Finding("rare", "Rare labels", words.rare_sentence(check), "look"))
    if check.label_check and check.label_check.confusions:
        first = check.label_check.confusions[0]
        pair = f"{words.short(first.given)} and {words.short(first.suggested)}"
        found.append(Finding("confusions", "Confused labels", f"Most often confused: {pair}.", "look"))
    if check.leaks:
        level = "bad" if check.leaks.n_exact or check.leaks.n_near else "good"
        found.append(Finding("leaks", "Test rows", words.leaks_sentence(check.leaks), level))
    if check.duplicates:
        repeated = check.duplicates
        level = "bad" if repeated.n_conflicts else "look" if repeated.n_exact or repeated.n_near else "good"
        found.append(Finding("duplicates", "Duplicates", words.duplicates_sentence(check), level))
    if check.shortcuts:
        sentence = f"{words.counted(len(check.shortcuts), 'word')} may tell a label almost alone: {_first(check)}."
        found.append(Finding("shortcuts", "Shortcuts", sentence, "look"))
    if check.faulty_rows:
        sentence = " ".join(map(words.fault_sentence, check.faulty_rows))
        found.append(Finding("rows", "Rows", sentence, "look"))
    elif check.n_rows and not check.is_stopped:
        found.append(Finding("rows", "Rows", "None is empty, cut off, mis-encoded or of extreme length.", "good"))
    if check.leaking_columns:
        found.append(Finding("columns", "Columns", words.column_sentence(check.leaking_columns[0]), "bad"))
    if check.curve:
        found.append(Finding("curve", "More data", words.curve_sentence(check), "info"))
    return found


def _first(check: Check) -> str:
    return ", ".join(f"“{words.short(each.word)}” for {words.short(each.label)}" for each in check.shortcuts[:3])


def _labels(labels: tuple[LabelFacts, ...]) -> tuple[LabelView, ...]:
    most = max((label.n for label in labels), default=1)
    return tuple(
        LabelView(
            label=words.short(label.label),
            n=f"{label.n:,}",
            width=label.n / most,
            wrong_width=(label.n / most) * label.n_suspects / max(1, label.n_checked),
            suspects=f"{label.n_suspects:,}" if label.n_checked else "–",
            agreement=percent(label.agreement),
            is_rare=label.is_rare,
        )
        for label in labels
    )


def _confusion(confusion: Confusion) -> ConfusionView:
    most = max([LEAST, *(value for _, value in confusion.words)])
    parts = tuple(
        Part(words.short(word), value / most, number(value, digits=2, plus=True)) for word, value in confusion.words
    )
    sentence = f"{words.counted(confusion.n, 'row')}, {percent(confusion.share)} of those with the label"
    given, suggested = words.short(confusion.given), words.short(confusion.suggested)
    return ConfusionView(given, suggested, sentence, parts, tuple(map(row_view, confusion.rows)))


def _fault(fault: FaultyRows) -> FaultView:
    return FaultView(words.fault_sentence(fault), words.FAULTS[fault.kind][1], tuple(map(row_view, fault.rows)))
