"""A matrix of weights between words as one HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from heedful.show.kit.html import document as html
from heedful.show.kit.html.cells import Cell, cell
from heedful.show.kit.html.templates import render
from heedful.show.kit.text.truncate import shortened
from heedful.show.matrices.view import POINT, TITLE, MatrixView, view

if TYPE_CHECKING:
    from heedful.show.matrices.api import Matrix

LONGEST = 24  # characters of a word


def matrix_page(matrix: Matrix) -> str:
    """Return a whole page."""
    return html.document(matrix.title or TITLE, matrix_body(view(matrix)))


def matrix_fragment(matrix: Matrix) -> str:
    """Return a matrix for a notebook, with its own style."""
    return html.fragment(matrix_body(view(matrix)))


def matrix_body(drawn: MatrixView) -> Markup:
    """Return what stands in a page: the title, how to read it, and the panels."""
    return render(
        "show/matrices/page.html",
        view=drawn,
        account=f"{drawn.account} {POINT}" if drawn.is_tight else drawn.account,
        columns=[shortened(word, LONGEST) for word in drawn.columns],
        panels=[(name, _rows(drawn, i)) for i, name in enumerate(drawn.names)],
    )


def _rows(drawn: MatrixView, panel: int) -> list[tuple[str, list[Cell]]]:
    return [
        (
            shortened(word, LONGEST),
            [
                cell(weight, shade, is_signed=drawn.is_signed, is_tight=drawn.is_tight)
                for weight, shade in zip(weights, shades, strict=True)
            ],
        )
        for word, weights, shades in zip(
            drawn.rows, drawn.weights[panel].tolist(), drawn.shades[panel].tolist(), strict=True
        )
    ]
