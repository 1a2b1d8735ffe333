"""A flip as one HTML page: the text with the words that would be left out."""

from __future__ import annotations

from markupsafe import Markup

from heedful.explain.attention.flip import Flip
from heedful.show.flips.view import TITLE, view
from heedful.show.kit.html import document as html
from heedful.show.kit.html.templates import render


def flip_page(flip: Flip) -> str:
    """Return a whole page."""
    return html.document(TITLE, _body(flip, title=TITLE))


def flip_fragment(flip: Flip) -> str:
    """Return the same for a notebook, with its own style."""
    return html.fragment(_body(flip))


def _body(flip: Flip, *, title: str = "") -> Markup:
    return render("show/flips/page.html", view=view(flip), title=title)
