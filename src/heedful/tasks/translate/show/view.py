"""What is drawn of a translation and where each of its words looked."""

from __future__ import annotations

from dataclasses import dataclass

from heedful.show.matrices.view import MatrixView
from heedful.show.matrices.view import view as view_of_matrix
from heedful.tasks.translate.explain import Alignment

TITLE = "Where the translator looked"
TOP = 3  # words that a word of the translation looked at most
LEAST = 0.05  # a smaller weight is not named


@dataclass(frozen=True)
class AlignmentView:
    """Everything to see of a translation; without words it has no matrix."""

    text: str
    translation: str
    matrix: MatrixView | None
    words: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]  # each with what it looked at most


def view(alignment: Alignment) -> AlignmentView:
    """Return what is to see of a translation."""
    has_words = bool(alignment.weights.size)
    words = (
        (word, tuple((name, weight) for name, weight in alignment.top(i, TOP) if weight >= LEAST))
        for i, word in enumerate(alignment.target)
    )
    return AlignmentView(
        text=alignment.text,
        translation=alignment.translation,
        matrix=view_of_matrix(alignment.matrix) if has_words else None,
        words=tuple(words) if has_words else (),
    )
