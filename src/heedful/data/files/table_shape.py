"""The separator of a table and whether its first row is a header, by its first lines."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress

from heedful.data.columns import LABEL_NAMES, TEXT_NAMES, is_number

HEAD_LINES, HEAD_CHARACTERS = 200, 2**18
MOST_COUNTED = 2**16  # characters of a line
COMMON = ",;\t|"
KNOWN = {*TEXT_NAMES, *LABEL_NAMES, "id", "text_a", "text_b", "title", "subject"}
LONG, WORDS = 60, 8
ENDS = (".", "!", "?", "…", "。", "！", "？")


def take_head(lines: Iterator[str]) -> list[str]:
    """Return the first lines, enough to detect a separator and a header."""
    head: list[str] = []
    n = 0
    for line in itertools.islice(lines, HEAD_LINES):
        head.append(line)
        n += len(line)
        if n > HEAD_CHARACTERS:
            break
    return head


def detect_separator(head: Sequence[str], *, first: str = ",") -> str:
    """Return the separator with which the most records have as many cells as the first; `first` if none splits it.

    A separator counts only if it splits the first record.
    """
    candidates = [first, *(mark for mark in COMMON if mark != first)]
    shares = {
        mark: _share_of_equal_records(head, mark) for mark in candidates if head and mark in head[0][:MOST_COUNTED]
    }
    best = max(shares.values(), default=0.0)
    return next((mark for mark in candidates if best and shares.get(mark) == best), first)


def _share_of_equal_records(head: Sequence[str], mark: str) -> float:
    records = records_of(head, mark)
    sizes = [len(record) for record in records if record]
    if not sizes or sizes[0] < 2:
        return 0.0
    return sum(size == sizes[0] for size in sizes) / len(sizes)


def records_of(head: Sequence[str], sep: str) -> list[list[str]]:
    """Return the complete records of the first lines."""
    records: list[list[str]] = []
    with suppress(csv.Error):  # a quote that is closed after the head, or never
        records.extend(csv.reader(head, delimiter=sep, strict=True))
    return records


def looks_like_data(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Return whether a first row is probably not a header.

    It is data if a cell occurs again in its column, or if all cells are long or numbers that no header would have.
    """
    cells = [cell.strip() for cell in first]
    if any(cell.lower() in KNOWN for cell in cells) or not others:
        return False
    if any(cell and any(i < len(row) and row[i].strip() == cell for row in others) for i, cell in enumerate(cells)):
        return not _is_numbering(cells)
    named = [cell for cell in cells if cell]
    return not _is_numbering(cells) and any(map(_is_sentence, named)) and all(map(_is_value, named))


def _is_numbering(cells: Sequence[str]) -> bool:
    """Return whether cells are 0, 1, 2 …, as pandas names columns."""
    named = [cell for cell in cells if cell]
    return named in ([str(i) for i in range(len(named))], [str(i + 1) for i in range(len(named))])


def _is_value(cell: str) -> bool:
    return is_number(cell) or _is_sentence(cell)


def _is_sentence(cell: str) -> bool:
    n_words = len(cell.split())
    return len(cell) > LONG or n_words >= WORDS or (n_words >= 3 and cell.endswith(ENDS))
