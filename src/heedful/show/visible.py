"""Texts from outside, made safe to look at."""

from __future__ import annotations

import unicodedata

# Characters that turn the direction of all that follows: a label could pass itself off as another.
_TURNING = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    """Return text whose control characters can do nothing: U+FFFD stands for each. Joiners and spaces stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if _is_harmless(c) else "�" for c in text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Return text that takes one line."""
    return visible(" ".join(text.split()))


def _is_harmless(c: str) -> bool:
    return c in "\n\t" or (unicodedata.category(c) not in ("Cc", "Cs") and c not in _TURNING)
