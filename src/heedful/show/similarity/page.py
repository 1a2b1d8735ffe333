"""Why two texts are similar, as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from heedful.explain.attention.explanation import Word
from heedful.explain.similarity import Similarity
from heedful.show.kit.html import document as html
from heedful.show.kit.html.shaded_text import UNREAD, unread
from heedful.show.kit.html.templates import render
from heedful.show.kit.svg.shades import FAINT, STRONG
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.sanitise import one_line
from heedful.show.kit.text.truncate import shortened
from heedful.show.similarity.grid import Grid
from heedful.show.similarity.view import ACCOUNT, LONGEST, SCALE, Side, SimilarityView, view

PACKAGE = "heedful.show.similarity"
MOST = 40  # words of each text in the table; the others are one row or column
ROOMY = 14  # columns that have room for numbers; with more, a number shows under the pointer
TITLE = "Why two texts are similar"


@dataclass(frozen=True, slots=True)
class MarkedWord:
    """A word with the part it has in the similarity, on a ground."""

    text: str
    classes: str
    shade: str
    number: str


@dataclass(frozen=True, slots=True)
class Header:
    """A word at the head of a row or column; `title` is the whole word."""

    text: str
    title: str = ""
    is_known: bool = True
    is_others: bool = False  # all other words, as one row or column


@dataclass(frozen=True, slots=True)
class Cell:
    """A pair of words, or a sum over other words."""

    classes: str
    shade: str  # empty for a sum
    is_reachable: bool  # by the tab key: at all cells it would never get through
    title: str
    number: str


@dataclass(frozen=True)
class GridTable:
    """A grid as a table with its sums."""

    about: str
    is_tight: bool
    columns: list[Header]
    rows: list[tuple[Header, list[Cell], str]]  # with the sum
    sums: list[tuple[str, bool]]  # of each column, and whether it stands under a word
    total: str


def similar_page(similarity: Similarity, *, title: str = TITLE) -> str:
    """Return a whole page."""
    return html.document(title, _body(similarity, html.style(PACKAGE), title=title))


def similar_fragment(similarity: Similarity) -> str:
    """Return the same without a page around it, with its own style: for a notebook, or inside another page."""
    return str(_body(similarity, html.style() + html.style(PACKAGE)))


def marked_text(side: Side, literal: Sequence[tuple[int, int]] = ()) -> list[str | MarkedWord]:
    """Return a text, each word with what it adds; an empty list if there is nothing to see.

    `literal` has the spans of words that are also in the other text.
    """
    return list(_marked(side, literal)) if side.text.strip() else []


def unread_text(side: Side) -> str:
    """Return the beginning of what was not read of a text."""
    return unread(side.text[side.read_to :])


def _marked(side: Side, literal: Sequence[tuple[int, int]]) -> Iterator[str | MarkedWord]:
    at, literals = 0, {offset for start, end in literal for offset in range(start, end)}
    for word, part, shade in zip(side.words, side.parts, side.shades, strict=True):
        yield side.text[at : word.start]
        classes = f"part{_kind(float(shade))}{'' if word.is_known else ' unknown'}"
        classes += "" if literals.isdisjoint(range(word.start, word.end)) else " literal"
        yield MarkedWord(word.text, classes, f"{abs(shade):.2f}", number(part))
        at = word.end
    yield side.text[at : side.read_to]


def _body(similarity: Similarity, style: Markup, *, title: str = "") -> Markup:
    drawn = view(similarity)
    pairs = (("Pairs of words that add most", drawn.adding), ("Pairs that take away most", drawn.taking))
    return render(
        f"{PACKAGE.removeprefix('heedful.').replace('.', '/')}/page.html",
        view=drawn,
        style=style,
        title=title,
        scale=SCALE,
        account=ACCOUNT,
        texts=[(side.name.capitalize(), marked_text(side), unread_text(side)) for side in drawn.sides],
        pairs=[each for each in pairs if each[1]],
        largest=max((abs(pair.part) for pair in (*drawn.adding, *drawn.taking)), default=1.0),
        has_repeated=any(pair.times > 1 for pair in (*drawn.adding, *drawn.taking)),
        grid=_table(drawn) if drawn.has_parts else None,
        longest=LONGEST,
    )


def _table(drawn: SimilarityView) -> GridTable:
    grid = drawn.grid(most=(MOST, MOST))
    rows, columns = (
        [*map(_header, words), *([Header(f"{n} other words", is_others=True)] if n else [])]
        for words, n in zip(grid.words, grid.others, strict=True)
    )
    by_row, by_column = grid.by_word
    is_tight = len(columns) > ROOMY
    return GridTable(
        about=_about(grid, is_tight=is_tight),
        is_tight=is_tight,
        columns=columns,
        rows=[
            (row, cells, number(total))
            for row, cells, total in zip(rows, _cells(grid, rows, columns), by_row[: len(rows)], strict=True)
        ],
        sums=[(number(by_column[j]), j < len(grid.words[1])) for j in range(len(columns))],
        total=number(float(grid.parts.sum())),
    )


def _about(grid: Grid, *, is_tight: bool) -> str:
    about = "Rows are the words of the first text, columns those of the second; all cells together are the similarity."
    if is_tight:
        about += " A cell shows its number under the pointer; the tab key goes through the strongest."
    if any(grid.others):
        about += " The strongest words are shown on their own, in reading order; the others are added up as one."
    return about


def _cells(grid: Grid, rows: list[Header], columns: list[Header]) -> Iterator[list[Cell]]:
    """Yield the cells of each row: pairs of words with their shade, sums over other words without."""
    shades = np.pad(grid.shades, (0, 1))
    for i, row in enumerate(rows):
        yield [
            _cell(float(grid.parts[i, j]), float(shades[i, j]), row, column, is_under_word=j < len(grid.words[1]))
            for j, column in enumerate(columns)
        ]


def _cell(part: float, shade: float, row: Header, column: Header, *, is_under_word: bool) -> Cell:
    title = f"{row.text} · {column.text}: {number(part, digits=4)}"
    if row.is_others or column.is_others:
        return Cell("others upright" if is_under_word else "others", "", False, title, number(part))
    return Cell(f"part{_kind(shade)}", f"{abs(shade):.2f}", abs(shade) >= STRONG, title, number(part))


def _header(word: Word) -> Header:
    return Header(shortened(word.text, LONGEST), one_line(word.text[:UNREAD]), word.is_known)


def _kind(shade: float) -> str:
    return "" if abs(shade) < FAINT else " more" if shade > 0 else " less"
