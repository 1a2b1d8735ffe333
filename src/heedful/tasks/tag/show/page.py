"""Labelled texts as one HTML page: the text with its labels, and a row for each word. No script."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from heedful.show.kit.html import document as html
from heedful.show.kit.html.cells import Cell, cell
from heedful.show.kit.html.shaded_text import unread
from heedful.show.kit.html.templates import render
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.truncate import shortened
from heedful.tasks.tag.explain import TagExplanation
from heedful.tasks.tag.show.view import ACCOUNT, TITLE, TaggedWord, TagView, views

PACKAGE = "heedful.tasks.tag.show"
MOST_ROWS = 150  # words that have a row; of a longer text the first
MOST_CELLS = 60  # words in a row: beyond, only the strongest are named
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


def _body(explanations: Sequence[TagExplanation], *, title: str = "") -> Markup:
    cards = [
        (each, unread(each.unread), [(word, _cells(each, word), _named(word)) for word in each.words[:MOST_ROWS]])
        for each in views(explanations)
    ]
    return render(
        "tasks/tag/show/page.html",
        title=title,
        style=html.style(PACKAGE),
        account=ACCOUNT,
        cards=cards,
        most_cells=MOST_CELLS,
        most_rows=MOST_ROWS,
        longest=LONGEST,
    )


def _cells(drawn: TagView, word: TaggedWord) -> list[Cell]:
    if len(drawn.words) > MOST_CELLS:
        return []
    return [cell(weight, shade) for weight, shade in zip(word.weights.tolist(), word.shades.tolist(), strict=True)]


def _named(word: TaggedWord) -> str:
    return ", ".join(f"{shortened(text, LONGEST)} {number(weight, digits=2)}" for text, weight in word.top)
