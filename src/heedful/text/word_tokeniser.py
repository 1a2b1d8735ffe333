"""Texts to words with offsets, in any script."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache

from heedful.text.tokens import Token

# Scripts written without spaces (Han, kana, Bopomofo, Yi, Thai, Lao, Tibetan, Myanmar, Khmer): a character is a token.
_UNSPACED = (
    "\u0e01-\u0e4f\u0e81-\u0edf\u0f40-\u0fbc\u1000-\u109f\u1780-\u17dd\u3005-\u3007\u3021-\u3029\u3031-\u303c\u3041-\u30ff"
    "\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua48c\uf900-\ufaff\uff66-\uff9f"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"  # variation selectors
_INVISIBLE = (
    r"\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e0fff"
)
_EMOJI = (
    "[\U0001f1e6-\U0001f1ff]{2}"
    "|[#*]\ufe0f?\u20e3"
    "|[\u203c-\u3299\U0001f000-\U0001faff][\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*"
    "(?:\u200d[\u2190-\u27bf\U0001f000-\U0001faff][\ufe0f\U0001f3fb-\U0001f3ff]*)*"
)
_CLITIC = r"['’](?:[sSdDmM]|[rRvV][eE]|[lL][lL])\b"
_NUMBER = r"\d+(?:[.,:/]\d+)+"
_MARKS = r"!+|\?+|\.+"

_ASCII = re.compile(rf"{_NUMBER}|\w+(?:'\w+)*|{_CLITIC}|{_MARKS}|[^\s\w\x00-\x1f\x7f]", re.ASCII)
# do|n't, it|'s: negation and clitics are separate tokens, as in GloVe's vocabulary.
_CONTRACTION = re.compile(r"(.+?)(n['’ʼ]t|['’ʼ](?:s|re|ve|ll|d|m))", re.IGNORECASE | re.DOTALL)
_APOSTROPHES = ("'", "’", "ʼ")

_CACHE_LIMIT = 100_000  # forms: bounds memory on a stream of texts


@cache
def _any_script() -> re.Pattern[str]:
    """Compile the pattern for non-ASCII texts. Building its table of combining marks is slow, so this is lazy."""
    points = (chr(i) for i in range(0x300, 0x1F000))
    marks = "".join(c for c in points if unicodedata.category(c) in ("Mn", "Mc", "Me"))
    outside = rf"(?![{_UNSPACED}])"
    word = rf"(?![{_SELECTORS}])(?:{outside}[\w{marks}])+"
    return re.compile(
        rf"{_NUMBER}|{word}(?:['’\u200c\u200d]{word})*|{_CLITIC}|(?![\s{_INVISIBLE}]){outside}(?:{_EMOJI})"
        rf"|[{_UNSPACED}][{marks}{_SELECTORS}\u0e33\u0eb3ー]*|{_MARKS}|[^\s\w{_INVISIBLE}]"
    )


class WordTokeniser:
    """Splits texts into words, deterministically.

    Forms are NFC-normalised (é in one code point or two is the same word) and optionally lower-cased; offsets refer
    to the original text.
    """

    def __init__(self, *, lowercase: bool = True) -> None:
        self.lowercase = lowercase
        self._forms: dict[str, str] = {}

    def tokens(self, text: str) -> list[Token]:
        """Return the words of a text with their offsets."""
        return [Token(self.form(text[start:end]), start, end, i) for i, (start, end) in enumerate(self._spans(text))]

    def surfaces(self, text: str) -> list[str]:
        """Return the words as written in the text: faster than `tokens`, for counting and look-ups."""
        if any(mark in text for mark in _APOSTROPHES):
            return [text[start:end] for start, end in self._spans(text)]
        return _pattern(text).findall(text)

    def form(self, surface: str) -> str:
        """Return the normalised form of a word, as in the vocab."""
        known = self._forms.get(surface)
        if known is None:
            cased = surface.lower() if self.lowercase else surface  # before NFC: J̌ has no code point, ǰ has one
            known = sys.intern(unicodedata.normalize("NFC", cased).replace("’", "'").replace("ʼ", "'"))
            if len(self._forms) >= _CACHE_LIMIT:
                self._forms.clear()
            self._forms[surface] = known
        return known

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        if not any(mark in text for mark in _APOSTROPHES):
            yield from (match.span() for match in _pattern(text).finditer(text))
            return
        for match in _pattern(text).finditer(text):
            start, end = match.span()
            if any(mark in match.group() for mark in _APOSTROPHES) and (parts := _CONTRACTION.fullmatch(match.group())):
                yield start, start + parts.end(1)
                yield start + parts.end(1), end
            else:
                yield start, end


def _pattern(text: str) -> re.Pattern[str]:
    return _ASCII if text.isascii() else _any_script()
