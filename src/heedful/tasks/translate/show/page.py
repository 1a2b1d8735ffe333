"""Translations and where each of their words looked, as one HTML page."""

from __future__ import annotations

from collections.abc import Sequence

from heedful.show.kit.html.document import document, escape
from heedful.show.matrices.page import matrix_body
from heedful.tasks.translate.explain import Alignment


def alignment_page(alignments: Sequence[Alignment], *, title: str = "Where the translator looked") -> str:
    """Return a whole page: a matrix for each text; a text without words has none."""
    return document(title, "\n".join(_part(one) for one in alignments))


def _part(alignment: Alignment) -> str:
    said = f'<p dir="auto">{escape(alignment.text)}</p>'
    if not alignment.weights.size:
        return f"{said}<p>{escape(alignment.translation)}</p>"
    return said + matrix_body(alignment.matrix)
