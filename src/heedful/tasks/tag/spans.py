"""The spans that labels such as B-person and I-person mark.

A span begins and ends where CoNLL's conlleval says it does: I- without B- before it begins one too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

OUTSIDE = "O"
_MARKS = ("B", "I", "E", "S")  # begin, inside, end, single


class Span(NamedTuple):
    """Tokens `start` to `end` (not included) that are one thing."""

    kind: str
    start: int
    end: int


def marks_spans(labels: Iterable[str]) -> bool:
    """Return whether labels are those of spans: O, B-person, I-person and the like, or B, I and O alone."""
    known = set(labels)
    marked = [_split(label) for label in known - {OUTSIDE}]
    has_kinds = all(kind for _, kind in marked)
    return bool(marked) and all(mark in _MARKS for mark, _ in marked) and (has_kinds or {"B", OUTSIDE} <= known)


def is_bio(labels: Iterable[str]) -> bool:
    """Return whether labels mark spans by B, I and O alone, so that I only ever follows B or I of its kind."""
    known = set(labels)
    return marks_spans(known) and all(_split(label)[0] in ("B", "I", OUTSIDE) for label in known)


def spans(labels: Sequence[str]) -> list[Span]:
    """Return the spans that a row of labels marks."""
    found: list[Span] = []
    start, before = 0, (OUTSIDE, "")
    for i, label in enumerate([*labels, OUTSIDE]):
        mark, kind = _split(label or OUTSIDE)  # one that is not known marks nothing
        if _ends(*before, mark, kind):
            found.append(Span(before[1], start, i))
        if _begins(*before, mark, kind):
            start = i
        before = mark, kind
    return found


def as_bio(labels: Sequence[str]) -> tuple[str, ...]:
    """Return labels for the same spans in which each begins with B; those that are not known stay empty."""
    found = [label and OUTSIDE for label in labels]
    for kind, start, end in spans(labels):
        tail = f"-{kind}" if kind else ""
        found[start:end] = [f"B{tail}"] + [f"I{tail}"] * (end - start - 1)
    return tuple(found)


def _split(label: str) -> tuple[str, str]:
    """Return the mark and the kind: `B-person` is B and person."""
    mark, _, kind = label.partition("-")
    return mark, kind


def _ends(before: str, before_kind: str, mark: str, kind: str) -> bool:
    """Return whether a span ends before a token with this mark and kind."""
    if before == OUTSIDE:
        return False
    return before in ("E", "S") or mark in ("B", "S", OUTSIDE) or kind != before_kind


def _begins(before: str, before_kind: str, mark: str, kind: str) -> bool:
    """Return whether a span begins with this token."""
    if mark == OUTSIDE:
        return False
    return mark in ("B", "S") or before in ("E", "S", OUTSIDE) or kind != before_kind
