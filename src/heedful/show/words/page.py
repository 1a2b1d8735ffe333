"""The words of each label, as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

from markupsafe import Markup

from heedful.explain.words.label_words import LabelWords
from heedful.show.kit.html import document as html
from heedful.show.kit.html.templates import render
from heedful.show.words.view import NAME, NONE, view

PACKAGE = "heedful.show.words"
MOST_LABELS = 200


def words_page(words: LabelWords) -> str:
    """Return a whole page."""
    return html.document(view(words).title, _body(words))


def words_fragment(words: LabelWords) -> str:
    """Return the same for a notebook, with its own style."""
    return html.fragment(_body(words))


def _body(words: LabelWords) -> Markup:
    drawn = view(words)
    return render(
        "show/words/page.html",
        view=drawn,
        labels=drawn.labels[:MOST_LABELS],
        n_left_out=max(0, len(drawn.labels) - MOST_LABELS),
        style=html.style(PACKAGE),
        name=NAME,
        nothing=NONE,
    )
