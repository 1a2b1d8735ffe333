"""The words of a text on lines of a given width, left to right or right to left."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heedful.show.heatmaps.view import HeatmapView
from heedful.show.kit.text.bidi import direction, has_direction, mirrored, ordered
from heedful.show.kit.text.folding import Fold, Stretch, stretches
from heedful.show.kit.text.sanitise import visible
from heedful.show.kit.text.text_width import advance, fitted, is_wide

PICTURE = Fold(short=150, strongest=12, around=5, least=4)
SPACE = 0.34  # a little more than a font has: the boxes of two words must not touch
_CHUNK = re.compile(r"\s+|\S+")


@dataclass(frozen=True)
class Atom:
    """A word, a mark between words, or a space: never split. Widths are in em."""

    text: str
    width: float
    word: int | None = None

    @property
    def is_space(self) -> bool:
        """Whether there is nothing to see."""
        return self.text.isspace()


@dataclass(frozen=True)
class Placed:
    """An atom at its place on a line, in em from the left; `shown` is its text as it looks there."""

    atom: Atom
    shown: str
    x: float


@dataclass(frozen=True)
class Layout:
    """The lines of a text, and how many of its words are on none of them."""

    lines: tuple[tuple[Placed, ...], ...]
    left_out: int


def layout(view: HeatmapView, *, width: float, most: int) -> Layout:
    """Lay a text out on at most so many lines of so many em."""
    parts = stretches(view.rows, PICTURE) if view.words else [Stretch(0, 0, True)]
    lines = list(_lines(list(_atoms(view, parts, width)), width))[:most]
    base = direction(view.text)
    n_drawn = sum(atom.word is not None for line in lines for atom in line)
    return Layout(tuple(_placed(line, width, base == "rtl") for line in lines), len(view.words) - n_drawn)


def _atoms(view: HeatmapView, parts: Sequence[Stretch], width: float) -> Iterator[Atom]:
    for part in parts:
        if not part.is_shown:
            yield from _between(" … ", width)
            continue
        at = view.words[part.first].start if part.first else 0
        for i in range(part.first, part.end):
            yield from _between(view.text[at : view.words[i].start], width)
            yield _atom(view.words[i].text, width, i)
            at = view.words[i].end
        end = view.words[part.end].start if part.end < len(view.words) else view.read_to
        yield from _between(view.text[at:end], width)


def _between(text: str, width: float) -> Iterator[Atom]:
    for match in _CHUNK.finditer(text):
        chunk = match.group()
        yield Atom("\n" if "\n" in chunk else " ", SPACE) if chunk.isspace() else _atom(chunk, width, None)


def _atom(text: str, width: float, word: int | None) -> Atom:
    label = fitted(visible(text), width)
    return Atom(label, advance(label), word)


def _lines(atoms: Sequence[Atom], width: float) -> Iterator[list[Atom]]:
    """Fill lines; a line breaks at spaces, between wide characters, and anywhere before what would not fit on any."""
    line: list[Atom] = []
    for chunk in _chunks(atoms):
        for piece in [chunk] if _width(chunk) <= width else [[atom] for atom in chunk]:
            if piece[0].text == "\n" or _width([*line, *piece]) > width:
                if _trimmed(line):
                    yield _trimmed(line)
                line = []
            if line or not piece[0].is_space:
                line = [*line, *piece]
    if _trimmed(line):
        yield _trimmed(line)


def _chunks(atoms: Sequence[Atom]) -> Iterator[list[Atom]]:
    """Yield atoms that stand or move to the next line together."""
    chunk: list[Atom] = []
    for atom in atoms:
        if chunk and (atom.is_space or chunk[-1].is_space or _may_part(chunk[-1], atom)):
            yield chunk
            chunk = []
        chunk.append(atom)
    if chunk:
        yield chunk


def _may_part(before: Atom, after: Atom) -> bool:
    is_closed = unicodedata.category(before.text[-1]) in ("Ps", "Pi") or after.word is None
    return not is_closed and (is_wide(before.text[-1]) or is_wide(after.text[0]))


def _trimmed(line: list[Atom]) -> list[Atom]:
    return line[:-1] if line and line[-1].is_space else line


def _width(line: Sequence[Atom]) -> float:
    return sum(atom.width for atom in line)


def _placed(line: Sequence[Atom], width: float, is_rtl: bool) -> tuple[Placed, ...]:
    x = width - _width(line) if is_rtl else 0.0
    placed = []
    for i, way in ordered([atom.text for atom in line], "rtl" if is_rtl else "ltr"):
        atom = line[i]
        is_mark = way == "rtl" and atom.word is None and not has_direction(atom.text)
        placed.append(Placed(atom, mirrored(atom.text) if is_mark else atom.text, x))
        x += atom.width
    return tuple(placed)
