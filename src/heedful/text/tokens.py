"""The token type, and words made of tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple


class Token(NamedTuple):
    """A token at `text[start:end]`; `form` is its entry in the vocab.

    `word` is the index of its word, so that subwords can be merged into words.
    """

    form: str
    start: int
    end: int
    word: int


class TokenisedWord(NamedTuple):
    """A word at `text[start:end]` made of so many tokens. It is known if all of them are in the vocab."""

    start: int
    end: int
    n_tokens: int
    is_known: bool


def words_of_tokens(tokens: Sequence[Token], is_known: Callable[[str], bool]) -> list[TokenisedWord]:
    """Return the words that tokens make up."""
    words = []
    for _, group in groupby(tokens, key=attrgetter("word")):
        pieces = list(group)
        known = all(is_known(piece.form) for piece in pieces)
        words.append(TokenisedWord(pieces[0].start, pieces[-1].end, len(pieces), known))
    return words
