"""One word in two texts, as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from heedful.explain.steps.two_contexts import TwoContexts
from heedful.show.contexts.view import TITLE, view
from heedful.show.kit.html import document as html
from heedful.show.kit.html.templates import render
from heedful.show.steps.page import PACKAGE, WIDE, everywhere, shaded_pieces
from heedful.show.steps.tables import largest_of, vector_table


def compare_page(contexts: TwoContexts) -> str:
    """Return a whole page."""
    return html.document(TITLE, _body(contexts))


def compare_fragment(contexts: TwoContexts) -> str:
    """Return the same for a notebook, with its own style."""
    return html.fragment(_body(contexts))


def _body(contexts: TwoContexts) -> Markup:
    vectors = np.stack(contexts.vectors)
    return render(
        "show/contexts/page.html",
        title=TITLE,
        style=html.style(PACKAGE),
        view=view(contexts),
        texts=[shaded_pieces(side, side.looks.mean(axis=(0, 1))) for side in contexts.sides],
        vectors=vector_table(
            ["in the first text", "in the second text"], vectors, columns=WIDE, size=largest_of([vectors])
        ),
        wide=WIDE,
        n_numbers=vectors.shape[1],
        grids=[everywhere(side, is_marked=False) for side in contexts.sides],
    )
