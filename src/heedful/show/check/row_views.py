"""Rows of a check as they are drawn: whose label may be wrong, that repeat each other, in a list."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heedful.explain.check.results import CheckedRow, DuplicateGroup, Suspect
from heedful.show.check import wording as words
from heedful.show.kit.svg.shades import FAINT, signed
from heedful.show.kit.text.numbers import number, percent
from heedful.show.kit.text.truncate import shortened

LEAST = 0.1  # of a score: a pull below this is not drawn as a strong one, though it may be the largest
EXCERPT, START = 300, 60  # characters of a text, and of the first one beside the title of a group


@dataclass(frozen=True)
class Part:
    """A piece of a text; `number` is what a word adds, if it is drawn."""

    text: str
    shade: float = 0.0
    number: str = ""


@dataclass(frozen=True)
class SuspectView:
    """A row whose label is probably wrong."""

    place: str
    given: str
    suggested: str
    chances: str
    parts: tuple[Part, ...]
    why: tuple[str, ...]


@dataclass(frozen=True)
class RowView:
    """A row in a list."""

    place: str
    text: str
    label: str


@dataclass(frozen=True)
class GroupView:
    """Rows that repeat each other."""

    title: str
    excerpt: str
    rows: tuple[RowView, ...]
    more: str
    has_conflict: bool


def place(row: CheckedRow) -> str:
    """Return where a row is."""
    file = f"{shortened(row.file, words.NAME)}, " if row.file else ""
    line = f" (line {row.line:,})" if row.line and row.line != row.row else ""
    return f"{'test ' if row.is_test else ''}{file}row {row.row:,}{line}"


def row_view(row: CheckedRow) -> RowView:
    """Return a row of a list."""
    return RowView(place(row), shortened(row.text, EXCERPT), "" if row.label is None else words.short(row.label))


def suspect_view(suspect: Suspect) -> SuspectView:
    """Return a row whose label may be wrong."""
    given, suggested = words.short(suspect.row.label or ""), words.short(suspect.suggested)
    chances = f"{percent(suspect.probability)} likely, the given label {percent(suspect.given_probability)}"
    why = tuple(words.short(word) for word in suspect.top())
    return SuspectView(place(suspect.row), given, suggested, chances, _parts(suspect), why)


def _parts(suspect: Suspect) -> tuple[Part, ...]:
    """Return the text in pieces: words with a ground, and all text between two of them as one."""
    text = suspect.row.text[:EXCERPT]
    end = " …" if len(suspect.row.text) > EXCERPT else ""
    shown = [word for word in suspect.words if word.end <= len(text)]
    shades = signed(np.array([word.value for word in shown]), least=LEAST).tolist()
    parts, at = [], 0
    for word, shade in zip(shown, shades, strict=True):
        if abs(shade) < FAINT:
            continue
        if word.start > at:
            parts.append(Part(_one_line(text[at : word.start])))
        parts.append(Part(_one_line(text[word.start : word.end]), shade, number(word.value, digits=2, plus=True)))
        at = word.end
    return (*parts, Part(_one_line(text[at:]) + end))


def _one_line(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ").replace("\t", " ")


def group_view(group: DuplicateGroup) -> GroupView:
    """Return a group of duplicates."""
    alike = "the same text" if group.is_exact else f"nearly the same text ({percent(group.similarity)})"
    labels = ", ".join(f"{words.short(label)} {n:,}×" for label, n in group.labels[:5])
    more = f"and {words.counted(group.n - len(group.rows), 'more row')}" if group.n > len(group.rows) else ""
    title = f"{words.counted(group.n, 'row')} with {alike}{f': {labels}' if group.has_conflict else ''}"
    return GroupView(
        title,
        shortened(group.rows[0].text if group.rows else "", START),
        tuple(map(row_view, group.rows)),
        more,
        group.has_conflict,
    )
