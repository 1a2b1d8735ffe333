"""Why two texts are alike, as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from heedful.explain.attention.explanation import Word
from heedful.explain.similarity import Similarity
from heedful.show.heatmaps.page import document, escape, style
from heedful.show.kit.text.sanitise import one_line
from heedful.show.similarity.grid import Grid, folded, signed_shades
from heedful.show.similarity.view import (
    ACCOUNT,
    FAINT,
    LONGEST,
    SCALE,
    Pair,
    number,
    reading,
    strongest_pairs,
    unknown_note,
    unread_from,
)

MOST = 40  # words of each text in the table; the others are one row or column
ROOMY = 14  # columns that have room for numbers; with more, a number shows under the pointer
STRONG = 0.6  # of the strongest
PAIRS = 8  # in the list of those that add, and of those that take away
UNREAD = 300  # characters shown of what was cut off
TITLE = "Why two texts are alike"


def similar_page(similarity: Similarity, *, title: str = TITLE) -> str:
    """Return a whole page."""
    return document(title, f"<h1>{escape(title)}</h1>\n{_account(similarity, _similar_style())}")


def similar_fragment(similarity: Similarity) -> str:
    """Return the account without a page around it, with its own style: for a notebook, or inside another page."""
    return _account(similarity, style() + _similar_style())


def _account(similarity: Similarity, css: str) -> str:
    return (
        f'<div class="hf similar"><style>\n{css}</style>\n{_answer(similarity)}\n{_texts(similarity)}\n'
        f"{_parts(similarity) if all(similarity.words) else ''}</div>"
    )


def _parts(similarity: Similarity) -> str:
    grid = folded(similarity, most=(MOST, MOST))
    return f'{_pairs(similarity)}\n{_table(grid)}\n<p class="soft">{escape(ACCOUNT)}</p>'


@cache
def _similar_style() -> str:
    return (files("heedful.show.similarity") / "style.css").read_text(encoding="utf-8")


def _answer(similarity: Similarity) -> str:
    place = (min(1.0, max(-1.0, similarity.score)) + 1) * 50
    return (
        f'<p class="score"><strong>{number(similarity.score)}</strong> {escape(reading(similarity))}</p>'
        f'<div class="ruler" aria-hidden="true"><i style="--at:{place:.1f}%"></i></div>'
        '<div class="marks soft" aria-hidden="true"><span>−1</span><span>0</span><span>1</span></div>'
        f'<p class="soft">{escape(SCALE)}</p>'
    )


def _texts(similarity: Similarity) -> str:
    note = unknown_note(similarity) or ""
    warning = f'<p class="verdict">{escape(note)}</p>' if note else ""
    sides = "".join(
        f'<h2>{name} text</h2><div class="text" dir="auto">{_words(similarity, side)}</div>'
        for side, name in enumerate(("First", "Second"))
    )
    return (
        f'<section class="card">{sides}'
        '<p class="soft">Each word is coloured by what it adds to the similarity: takes away '
        '<span class="legend" aria-hidden="true"></span> adds. A − stands before a word that clearly takes away'
        f"{'; a dotted line marks a word the model does not know' if note else ''}.</p>{warning}</section>"
    )


def _words(similarity: Similarity, side: int) -> str:
    text, adds = similarity.texts[side], similarity.by_word[side]
    shades = signed_shades(adds)
    shown: list[str] = []
    at = 0
    for word, part, shade in zip(similarity.words[side], adds, shades, strict=True):
        shown.append(escape(text[at : word.start]))
        kinds = f"part{_kind(float(shade))}{'' if word.is_known else ' unknown'}"
        shown.append(f'<span class="{kinds}" {_shade(float(shade))} title="{number(part)}">{escape(word.text)}</span>')
        at = word.end
    end = unread_from(similarity, side)
    shown.append(escape(text[at:end]))
    if end < len(text):
        more = "…" if len(text) > end + UNREAD else ""
        shown.append(f'<span class="unread" title="not read">{escape(text[end : end + UNREAD])}{more}</span>')
    return "".join(shown) if text.strip() else '<span class="soft">(empty)</span>'


def _pairs(similarity: Similarity) -> str:
    adding, taking = strongest_pairs(similarity, PAIRS)
    largest = max((abs(pair.part) for pair in (*adding, *taking)), default=1.0)
    shown = "".join(
        f"<div><h2>{name}</h2>{_pair_table(pairs, largest)}</div>"
        for name, pairs in (("Pairs of words that add most", adding), ("Pairs that take away most", taking))
        if pairs
    )
    if any(pair.times > 1 for pair in (*adding, *taking)):
        shown += '<p class="soft">Words that occur more than once are added up.</p>'
    return f'<section class="card pairs">{shown}</section>' if shown else ""


def _pair_table(pairs: Sequence[Pair], largest: float) -> str:
    rows = "".join(
        f'<tr><td dir="auto">{_short(pair.words[0])}</td><td dir="auto">{_short(pair.words[1])}</td>'
        f'<td class="n">{number(pair.part)}</td><td class="bar" title="{pair.how_often}">'
        f'<i class="{_sign(pair.part)}" style="--w:{abs(pair.part) / largest:.2f}"></i></td></tr>'
        for pair in pairs
    )
    heads = '<th scope="col">first</th><th scope="col">second</th><th class="n" scope="col">part</th><td></td>'
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _table(grid: Grid) -> str:
    rows, columns = (
        [*((_short(word.text), _head(word)) for word in words), *([_others(n)] if n else [])]
        for words, n in zip(grid.words, grid.others, strict=True)
    )
    by_row, by_column = grid.by_word
    head = "".join(f'<th scope="col" {about}><span>{name}</span></th>' for name, about in columns)
    body = "".join(
        f'<tr><th scope="row" {about}>{name}</th>{cells}<td class="sum">{number(total)}</td></tr>'
        for (name, about), cells, total in zip(rows, _cells(grid, rows, columns), by_row[: len(rows)], strict=True)
    )
    foot = "".join(
        f'<td class="sum{_upright(grid, j)}"><b>{number(by_column[j])}</b></td>' for j in range(len(columns))
    )
    whole = number(float(grid.parts.sum()))
    tight = " tight" if len(columns) > ROOMY else ""
    return (
        f'<section class="card"><h2>Every pair</h2><p class="soft">{_about(grid, is_tight=bool(tight))}</p>'
        '<div class="scroll" tabindex="0" role="region" aria-label="the part of each pair of words">'
        f'<table class="grid{tight}" style="--n:{len(columns)}">'
        f'<thead><tr><td></td>{head}<th scope="col" class="sum"><span>sum</span></th></tr></thead><tbody>{body}</tbody>'
        f'<tfoot><tr><th scope="row" class="sum">sum</th>{foot}<td class="sum whole">{whole}</td></tr></tfoot>'
        "</table></div></section>"
    )


def _about(grid: Grid, *, is_tight: bool) -> str:
    said = "Rows are the words of the first text, columns those of the second; all cells together are the similarity."
    if is_tight:
        said += " A cell shows its number under the pointer; the tab key goes through the strongest."
    if any(grid.others):
        said += " The strongest words are shown on their own, in reading order; the others are added up as one."
    return said


def _cells(grid: Grid, rows: Sequence[tuple[str, str]], columns: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the cells of each row: pairs of words with their shade, sums over other words without."""
    shades = np.pad(grid.shades, (0, 1))
    for i, (row, _) in enumerate(rows):
        cells = []
        for j, (column, _) in enumerate(columns):
            part, shade = float(grid.parts[i, j]), float(shades[i, j])
            is_pair = i < len(grid.words[0]) and j < len(grid.words[1])
            about = (
                f'class="part{_kind(shade)}" {_shade(shade)}{_reachable(shade)}'
                if is_pair
                else f'class="others{_upright(grid, j)}"'
            )
            cells.append(f'<td {about} title="{row} · {column}: {number(part, digits=4)}"><b>{number(part)}</b></td>')
        yield "".join(cells)


def _reachable(shade: float) -> str:
    """Let the tab key stop at the strongest pairs; at all of them it would never get through."""
    return ' tabindex="0"' if abs(shade) >= STRONG else ""


def _upright(grid: Grid, column: int) -> str:
    """Return the class of a number that stands under a word, where a tight table has little room."""
    return " upright" if column < len(grid.words[1]) else ""


def _head(word: Word) -> str:
    known = "" if word.is_known else ' class="unknown"'
    return f'dir="auto"{known} title="{escape(one_line(word.text[:UNREAD]))}"'


def _others(n: int) -> tuple[str, str]:
    return f"{n} other words", 'class="others"'


def _short(word: str) -> str:
    shown = one_line(word)
    return escape(shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…")


def _kind(shade: float) -> str:
    return "" if abs(shade) < FAINT else f" {_sign(shade)}"


def _sign(part: float) -> str:
    return "more" if part > 0 else "less"


def _shade(shade: float) -> str:
    return f'style="--w:{abs(shade):.2f}"'
