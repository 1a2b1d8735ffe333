"""Texts from outside, made safe to look at."""

from __future__ import annotations

import unicodedata

# Characters that turn the direction of all that follows: a label could pass itself off as another.
_TURNING = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Characters that nobody sees: two labels that look the same could be different. The served page has the same list
# (serve/ui/lib/visible.js). Joiners stay: scripts and emoji need them.
_UNSEEN = {
    *"\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u3164\ufeff\uffa0\ufff9\ufffa\ufffb",
    *map(chr, range(0x206A, 0x2070)),
    *map(chr, range(0xE0000, 0xE0080)),
}
_HIDDEN = _TURNING | _UNSEEN


def visible(text: str) -> str:
    """Return text in which nothing is hidden: U+FFFD stands for each control or unseen character."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if _is_harmless(c) else "�" for c in text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Return text that takes one line."""
    return visible(" ".join(text.split()))


def _is_harmless(c: str) -> bool:
    return c in "\n\t" or (unicodedata.category(c) not in ("Cc", "Cs") and c not in _HIDDEN)
