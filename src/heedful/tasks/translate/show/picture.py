"""A translation and where each of its words looked, as an SVG picture."""

from __future__ import annotations

from heedful.show.matrices.picture import matrix_picture
from heedful.tasks.translate.explain import Alignment


def alignment_picture(alignment: Alignment, *, width: int = 760) -> str:
    """Return a picture: the translation goes down, the text across."""
    return matrix_picture(alignment.matrix, width=width)
