"""Translations and where each of their words looked, as one HTML page."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from heedful.show.kit.html import document as html
from heedful.show.kit.html.templates import render
from heedful.show.matrices.page import matrix_body, matrix_fragment, matrix_page
from heedful.tasks.translate.explain import Alignment
from heedful.tasks.translate.show.view import TITLE, view


def alignment_page(alignments: Sequence[Alignment], *, title: str = TITLE) -> str:
    """Return a whole page: a matrix for each text; a text without words has none."""
    return html.document(title, _body(alignments))


def page_of(alignment: Alignment) -> str:
    """Return a whole page of one translation."""
    return matrix_page(alignment.matrix) if alignment.weights.size else alignment_page([alignment])


def fragment_of(alignment: Alignment) -> str:
    """Return one translation for a notebook, with its own style."""
    return matrix_fragment(alignment.matrix) if alignment.weights.size else html.fragment(_body([alignment]))


def _body(alignments: Sequence[Alignment]) -> Markup:
    views = [view(alignment) for alignment in alignments]
    parts = [(each, matrix_body(each.matrix) if each.matrix else "") for each in views]
    return render("tasks/translate/show/page.html", parts=parts)
