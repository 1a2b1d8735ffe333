"""Spans marked by labels such as B-person and I-person.

A span starts and ends as in CoNLL's conlleval: an I- without a preceding B- also starts one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

OUTSIDE = "O"
_MARKS = ("B", "I", "E", "S")  # begin, inside, end, single


class Span(NamedTuple):
    """Tokens `start` to `end` (exclusive) that form one span."""

    kind: str
    start: int
    end: int


def marks_spans(labels: Iterable[str]) -> bool:
    """Return whether labels mark spans: O, B-person, I-person and so on, or only B, I and O."""
    known = set(labels)
    marked = [_split(label) for label in known - {OUTSIDE}]
    has_kinds = all(kind for _, kind in marked)
    return bool(marked) and all(mark in _MARKS for mark, _ in marked) and (has_kinds or {"B", OUTSIDE} <= known)


def is_bio(labels: Iterable[str]) -> bool:
    """Return whether labels use only B, I and O, so that I always follows B or I of its kind."""
    known = set(labels)
    return marks_spans(known) and all(_split(label)[0] in ("B", "I", OUTSIDE) for label in known)


def spans(labels: Sequence[str]) -> list[Span]:
    """Return the spans of a sequence of labels."""
    found_spans: list[Span] = []
    start, before = 0, (OUTSIDE, "")
    for i, label in enumerate([*labels, OUTSIDE]):
        mark, kind = _split(label or OUTSIDE)  # an unknown label marks nothing
        if _ends(*before, mark, kind):
            found_spans.append(Span(before[1], start, i))
        if _begins(*before, mark, kind):
            start = i
        before = mark, kind
    return found_spans


def as_bio(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels in BIO form, each span starting with B; unknown labels stay empty."""
    bio = [label and OUTSIDE for label in labels]
    for kind, start, end in spans(labels):
        tail = f"-{kind}" if kind else ""
        bio[start:end] = [f"B{tail}"] + [f"I{tail}"] * (end - start - 1)
    return tuple(bio)


def _split(label: str) -> tuple[str, str]:
    """Split a label: `B-person` is the mark B and the kind person."""
    mark, _, kind = label.partition("-")
    return mark, kind


def _ends(before: str, before_kind: str, mark: str, kind: str) -> bool:
    """Return whether a span ends before a token with this mark and kind."""
    if before == OUTSIDE:
        return False
    return before in ("E", "S") or mark in ("B", "S", OUTSIDE) or kind != before_kind


def _begins(before: str, before_kind: str, mark: str, kind: str) -> bool:
    """Return whether a span starts at this token."""
    if mark == OUTSIDE:
        return False
    return mark in ("B", "S") or before in ("E", "S", OUTSIDE) or kind != before_kind
