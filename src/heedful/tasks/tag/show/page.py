"""Labelled texts as one HTML page: the text with its labels, and a row of contributions for each word. No script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from heedful.show.kit.html import document as html
from heedful.show.kit.html.cells import Cell, cell
from heedful.show.kit.html.shaded_text import unread
from heedful.show.kit.html.templates import render
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.truncate import shortened
from heedful.tasks.tag.explanation import TagExplanation
from heedful.tasks.tag.show.view import ACCOUNT, ATTENTION, OWN_STATE, TITLE, LabelSum, TaggedWord, TagView, views

PACKAGE = "heedful.tasks.tag.show"
MOST_ROWS = 150  # words that have a row; of a longer text the first
MOST_CELLS = 60  # words in a row: beyond, only the strongest are named
FEW_WORDS = 12  # in a row that has room for numbers
LONGEST = 24  # characters of a word


def tags_page(explanations: Sequence[TagExplanation], *, title: str = TITLE) -> str:
    """Return a whole page."""
    return html.document(title, _body(explanations, title=title))


def page_of(explanation: TagExplanation) -> str:
    """Return a whole page of one labelled text."""
    return tags_page([explanation])


def fragment_of(explanation: TagExplanation) -> str:
    """Return one labelled text for a notebook, with its own style."""
    return html.fragment(_body([explanation]))


@dataclass(frozen=True)
class Row:
    """A word's row of a table: a cell for each word, or in a long text the strongest by name."""

    word: TaggedWord
    cells: list[Cell]
    named: str
    parts: LabelSum | None = None
    own: Cell | None = None


@dataclass(frozen=True)
class Card:
    """A labelled text: its rows by contributions, if there is a sum, and by attention."""

    view: TagView
    unread: str
    sums: list[Row]
    looked: list[Row]
    is_matrix: bool
    classes: str  # of a matrix


def _body(explanations: Sequence[TagExplanation], *, title: str = "") -> Markup:
    drawn = views(explanations)
    return render(
        "tasks/tag/show/page.html",
        title=title,
        style=html.style(PACKAGE),
        account=_account(drawn),
        about_attention=ATTENTION,
        own_state=OWN_STATE,
        cards=[_card(each) for each in drawn],
        most_rows=MOST_ROWS,
        longest=LONGEST,
    )


def _account(drawn: Sequence[TagView]) -> str:
    """Say how to read the tables of a page."""
    sums = [each for each in drawn if each.has_sum]
    if not sums:
        return ACCOUNT
    return next((each.account for each in sums if len(each.words) <= MOST_CELLS), sums[0].short_account)


def _card(drawn: TagView) -> Card:
    places = range(min(len(drawn.words), MOST_ROWS))
    return Card(
        view=drawn,
        unread=unread(drawn.unread),
        sums=[_sum_row(drawn, i) for i in places] if drawn.has_sum else [],
        looked=[_looked_row(drawn, i) for i in places],
        is_matrix=len(drawn.words) <= MOST_CELLS,
        classes="cells sums roomy" if len(drawn.words) <= FEW_WORDS else "cells dense sums",
    )


def _sum_row(drawn: TagView, i: int) -> Row:
    parts, is_tight = drawn.sum_of(i), len(drawn.words) > FEW_WORDS
    cells = []
    if len(drawn.words) <= MOST_CELLS:
        pairs = zip(parts.contributions.tolist(), parts.shades.tolist(), strict=True)
        cells = [cell(value, shade, is_signed=True, is_tight=is_tight, digits=2) for value, shade in pairs]
    own = cell(parts.own, parts.own_shade, is_signed=True, is_tight=is_tight, digits=2)
    return Row(drawn.words[i], cells, _named(parts.strongest, plus=True), parts, own if drawn.has_own else None)


def _looked_row(drawn: TagView, i: int) -> Row:
    looked, cells = drawn.looked(i), []
    if len(drawn.words) <= MOST_CELLS:
        pairs = zip(looked.weights.tolist(), looked.shades.tolist(), strict=True)
        cells = [cell(weight, shade) for weight, shade in pairs]
    return Row(drawn.words[i], cells, _named(looked.top))


def _named(parts: Sequence[tuple[str, float]], *, plus: bool = False) -> str:
    """Name the parts that do not round to zero."""
    texts = ((shortened(text, LONGEST), number(value, digits=2, plus=plus)) for text, value in parts)
    return ", ".join(f"{text} {value}" for text, value in texts if float(value.replace("−", "-")))
