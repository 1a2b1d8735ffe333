"""Where each word looks, as a matrix for each layer and head."""

from __future__ import annotations

from heedful.errors import HeedfulError
from heedful.explain.steps.self_attention_maps import SelfAttention
from heedful.show.matrices.api import Matrix, matrix
from heedful.show.matrices.page import matrix_fragment, matrix_page
from heedful.show.matrices.picture import matrix_picture
from heedful.show.matrices.terminal import plain_matrix

TITLE = "Where each word looks"


def matrix_of(attention: SelfAttention) -> Matrix:
    """Return the weights as a matrix to be drawn."""
    if not attention.words:
        raise HeedfulError("a text without words has nothing to look at")
    return matrix([word.text for word in attention.words], attention.weights, title=TITLE)


def page_of(attention: SelfAttention) -> str:
    """Return a whole page."""
    return matrix_page(matrix_of(attention))


def fragment_of(attention: SelfAttention) -> str:
    """Return the same for a notebook, with its own style."""
    return matrix_fragment(matrix_of(attention))


def plain_of(attention: SelfAttention) -> str:
    """Return the pairs of words with the most weight, without colours."""
    return plain_matrix(matrix_of(attention)) if attention.words else "(no words)"


def picture_of(attention: SelfAttention, *, width: int = 760) -> str:
    """Return an SVG of all layers and heads."""
    return matrix_picture(matrix_of(attention), width=width)
