"""The token type."""

from __future__ import annotations

from typing import NamedTuple


class Token(NamedTuple):
    """A token at `text[start:end]`; `form` is its entry in the vocab.

    `word` is the index of its word, so that subwords can be merged into words.
    """

    form: str
    start: int
    end: int
    word: int
