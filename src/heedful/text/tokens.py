"""What a token is."""

from __future__ import annotations

from typing import NamedTuple


class Token(NamedTuple):
    """A piece of a text: `text[start:end]` is where it stands, `form` what the vocab knows it by.

    `word` numbers the word that the piece belongs to, so that sub-words can be folded back.
    """

    form: str
    start: int
    end: int
    word: int
