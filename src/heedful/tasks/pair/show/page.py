"""Pairs of texts as one HTML page: the answer, and below it the two texts side by side."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from heedful.show.kit.html import document as html
from heedful.show.kit.html.card import card
from heedful.show.kit.html.templates import render
from heedful.tasks.pair.explanation import PairExplanation
from heedful.tasks.pair.show.view import PairView, account, view

TITLE = "What the model read in two texts"
LONGEST, LONGEST_WORD = 100, 24  # characters of a label, and of a word in the tables of pairs
PAIR_TABLES = "heedful.show.similarity"  # the package with their style


def pair_page(explanations: Sequence[PairExplanation], *, title: str = TITLE, notes: Sequence[str] = ()) -> str:
    """Return a whole page; `notes` stand beside the answers."""
    return html.document(title, _body([view(each) for each in explanations], title=title, notes=notes))


def page_of(explanation: PairExplanation) -> str:
    """Return a whole page of one pair."""
    return pair_page([explanation])


def fragment_of(explanation: PairExplanation) -> str:
    """Return one pair for a notebook, with its own style."""
    return html.fragment(_body([view(explanation)]))


def _body(views: Sequence[PairView], *, title: str = "", notes: Sequence[str] = ()) -> Markup:
    beside = [*notes, *[""] * (len(views) - len(notes))]
    pairs = [(each, note, [card(side) for side in each.sides]) for each, note in zip(views, beside, strict=True)]
    return render(
        "tasks/pair/show/page.html",
        title=title,
        account=account(views) if views else "",
        pairs=pairs,
        style=html.style(PAIR_TABLES) if any(each.sum and each.sum.lists for each in views) else "",
        longest=LONGEST,
        longest_word=LONGEST_WORD,
    )
