"""Long texts to passages, which together are the text: at headings and paragraphs, else at sentences, else anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from heedful.search.ranking.columns import N_WORDS, PART, PARTS, START, WORDS
from heedful.text.terms.terms import forms_of

LONGEST = 2_000  # characters of a text that stays whole
TARGET = 1_500  # of a passage
LEAST = 300  # a break before this is not taken

# From the best break to the worst; a passage ends before, or after, what they match.
_BREAKS = (
    re.compile(r"\n(?=[ \t]{0,3}#{1,6}[ \t])"),  # a heading of Markdown
    re.compile(r"\n[ \t]*\n"),  # a paragraph
    re.compile(r"[.!?…。!?।]['\"”’»)\]]*[ \t\n]|[。!?]"),  # a sentence
    re.compile(r"\s"),
)


def passages_of(text: str) -> list[tuple[int, int]]:
    """Return the spans of the passages of a text: contiguous, in order, one if the text is short."""
    return [(0, len(text))] if len(text) <= LONGEST else list(_spans(text))


def with_passages(columns: Mapping[str, Sequence[Any]], text: str) -> dict[str, list[Any]]:
    """Return columns with a row for each passage of the text column, and the hidden columns that describe it."""
    spans = [passages_of(value or "") for value in columns[text]]
    rows = [i for i, each in enumerate(spans) for _ in each]
    split = {name: [values[i] for i in rows] for name, values in columns.items()}
    flat = [span for each in spans for span in each]
    split[text] = [(value or "")[start:end] for value, (start, end) in zip(split[text], flat, strict=True)]
    forms = [forms_of(passage) for passage in split[text]]
    return split | {
        PART: [number for each in spans for number in range(len(each))],
        PARTS: [len(each) for each in spans for _ in each],
        START: [start for start, _ in flat],
        WORDS: [" ".join(each) for each in forms],
        N_WORDS: [len(each) for each in forms],
    }


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while len(text) - start > LONGEST:
        end = _break_in(text, start)
        yield start, end
        start = end
    yield start, len(text)


def _break_in(text: str, start: int) -> int:
    """Return where a passage that starts here ends: after the last good break in its window."""
    low, high = start + LEAST, start + TARGET
    for pattern in _BREAKS:
        ends = [match.end() for match in pattern.finditer(text, low, high)]
        if ends:
            return ends[-1]
    return high
