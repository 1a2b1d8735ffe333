"""Translations and where each of their words looked, as one HTML page."""

from __future__ import annotations

from collections.abc import Sequence

from heedful.show.kit.html import document as html
from heedful.show.kit.html.templates import render
from heedful.show.matrices.page import matrix_body
from heedful.tasks.translate.explain import Alignment
from heedful.tasks.translate.show.view import TITLE, view


def alignment_page(alignments: Sequence[Alignment], *, title: str = TITLE) -> str:
    """Return a whole page: a matrix for each text; a text without words has none."""
    views = [view(alignment) for alignment in alignments]
    parts = [(each, matrix_body(each.matrix) if each.matrix else "") for each in views]
    return html.document(title, render("tasks/translate/show/page.html", parts=parts))
