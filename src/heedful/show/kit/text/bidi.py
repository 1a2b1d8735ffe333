"""Which way a text runs, and in which order its words stand on a line."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Literal

Direction = Literal["ltr", "rtl"]
_STRONG: dict[str, Direction] = {"L": "ltr", "R": "rtl", "AL": "rtl"}
_MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")


def direction(text: str) -> Direction:
    """Return the direction of the first letter that has one."""
    return _first_strong(text) or "ltr"


def ordered(pieces: Sequence[str], base: Direction) -> list[tuple[int, Direction]]:
    """Return the pieces of one line from left to right, each as its place in the reading and its direction.

    The Unicode bidirectional algorithm, with whole words where that has characters.
    """
    ways = _resolved(pieces, base)
    levels = [(way == "rtl") if base == "ltr" else 2 - (way == "rtl") for way in ways]
    order = list(range(len(pieces)))
    for level in range(max(levels, default=0), 0, -1):
        order = _turned(order, levels, level)
    return [(i, ways[i]) for i in order]


def mirrored(mark: str) -> str:
    """Return punctuation as it looks in a text that runs from the right."""
    return mark[::-1].translate(_MIRRORED)


def has_direction(text: str) -> bool:
    """Return whether any letter of a text runs one way or the other."""
    return _first_strong(text) is not None


def _first_strong(text: str) -> Direction | None:
    return next((_STRONG[kind] for kind in map(unicodedata.bidirectional, text) if kind in _STRONG), None)


def _resolved(pieces: Sequence[str], base: Direction) -> list[Direction]:
    """Return a direction for every piece: a number goes with the letters before it, a mark with those on both sides."""
    ways: list[Direction | None] = []
    before = base
    for piece in pieces:
        way = _first_strong(piece)
        before = way or before
        ways.append(way or (before if any(c.isdigit() for c in piece) else None))
    return [way or _between(ways, i, base) for i, way in enumerate(ways)]


def _between(ways: Sequence[Direction | None], i: int, base: Direction) -> Direction:
    before = next((way for way in reversed(ways[:i]) if way), base)
    after = next((way for way in ways[i + 1 :] if way), base)
    return before if before == after else base


def _turned(order: list[int], levels: Sequence[int], level: int) -> list[int]:
    """Return the order with every run of at least this level reversed."""
    turned: list[int] = []
    run: list[int] = []
    for i in order:
        if levels[i] >= level:
            run.append(i)
            continue
        turned += [*reversed(run), i]
        run = []
    return [*turned, *reversed(run)]
