"""A matrix of weights between words as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.truncate import shortened
from heedful.show.matrices.view import view

if TYPE_CHECKING:
    from heedful.show.matrices.api import Matrix

TOP, TOP_PANELS = 5, 8  # pairs of each, and heads
LONGEST = 40  # characters of a word


def plain_matrix(matrix: Matrix) -> str:
    """Return the pairs of words with the most weight in each of the first panels."""
    drawn = view(matrix)
    lines = [shortened(drawn.title, 100)] if drawn.title else []
    for name, panel in list(zip(drawn.names, drawn.weights, strict=True))[:TOP_PANELS]:
        order = np.argsort(-np.abs(panel), axis=None, kind="stable")[:TOP]
        pairs = ", ".join(
            f"{shortened(drawn.rows[i], LONGEST)} → {shortened(drawn.columns[j], LONGEST)} {number(float(panel[i, j]))}"
            for i, j in (divmod(int(at), panel.shape[1]) for at in order)
        )
        lines.append(f"{name}: {pairs}" if name else pairs)
    return "\n".join([*lines, drawn.account])
