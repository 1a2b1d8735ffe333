"""A translation and where each of its words looked, as plain text."""

from __future__ import annotations

from heedful.tasks.translate.explain import Alignment
from heedful.tasks.translate.show.view import view

ACCOUNT_OF_LINES = (
    "After each word of the translation: the words of the text that the decoder looked at most. The translation is not "
    "a sum over words, because what the decoder reads passes through an LSTM."
)


def plain_alignment(alignment: Alignment) -> str:
    """Return the translation, and a line for each of its words."""
    drawn = view(alignment)
    width = max((len(word) for word, _ in drawn.words), default=0)
    lines = [
        f"{word:<{width}}  {', '.join(f'{name} {weight:.2f}' for name, weight in looked)}"
        for word, looked in drawn.words
    ]
    return "\n".join([drawn.translation, *lines, *([ACCOUNT_OF_LINES] if lines else [])])
