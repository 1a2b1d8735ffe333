"""Texts to terms: words without case and endings; in Chinese, Japanese, Korean and Thai characters and their pairs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from heedful.text.terms.stem import stem

# Scripts without spaces, and Hangul, whose words carry particles: terms are characters and pairs of neighbours.
_BY_CHARACTER = (
    "\u0e01-\u0e4f\u0e81-\u0edf\u1000-\u109f\u1780-\u17dd\u1100-\u11ff\u3005-\u3007\u3041-\u30ff\u3105-\u318f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua48c\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_ASCII = re.compile(r"[A-Za-z0-9]+")
_LONGEST = 100  # characters of a term


class Term(NamedTuple):
    """A term, and its offsets in the text."""

    form: str
    start: int
    end: int


def terms_of(text: str, *, is_query: bool = False) -> Iterator[Term]:
    """Yield the terms of a text. A query has no single characters of a longer run: its pairs are enough."""
    if text.isascii():
        for match in _ASCII.finditer(text):
            yield Term(_form(match.group()), match.start(), match.end())
        return
    runs, characters = _patterns()
    for match in runs.finditer(text):
        if match["word"] is not None:
            yield Term(_form(match.group()), match.start(), match.end())
        else:
            yield from _grams(text, [each.span() for each in characters.finditer(text, *match.span())], is_query)


def forms_of(text: str, *, is_query: bool = False) -> list[str]:
    """Return the terms of a text without their offsets."""
    if text.isascii():
        return [_form(word) for word in _ASCII.findall(text)]
    return [term.form for term in terms_of(text, is_query=is_query)]


def _grams(text: str, spans: list[tuple[int, int]], is_query: bool) -> Iterator[Term]:
    if len(spans) == 1 or not is_query:
        for start, end in spans:
            yield Term(_form(text[start:end]), start, end)
    for (start, _), (_, end) in pairwise(spans):
        yield Term(_form(text[start:end]), start, end)


@lru_cache(maxsize=100_000)
def _form(word: str) -> str:
    """Return a word without case, accents and ending."""
    if word.isascii():
        return stem(word.lower())[:_LONGEST]
    form = unicodedata.normalize("NFKC", word).casefold()
    plain = "".join(c for c in unicodedata.normalize("NFKD", form) if not unicodedata.combining(c))
    form = stem(plain) if plain.isascii() else form
    return "".join(form.split())[:_LONGEST]


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the pattern of words and runs of characters, and that of the characters in a run."""
    points = (chr(i) for i in range(0x300, 0x1F000))
    marks = "".join(c for c in points if unicodedata.category(c) in ("Mn", "Mc", "Me")) + "\u200c\u200d"
    character = rf"[{_BY_CHARACTER}][{marks}]*"
    word = rf"(?:(?![{_BY_CHARACTER}])[^\W_][{marks}]*)+"
    return re.compile(rf"(?P<word>{word})|(?:{character})+"), re.compile(character)
