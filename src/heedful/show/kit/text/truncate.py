"""Long words, made shorter without breaking a character from its marks."""

from __future__ import annotations

import unicodedata

from heedful.show.kit.text.sanitise import one_line

_JOINER = "\u200d"


def shortened(text: str, most: int) -> str:
    """Return text on one line, of about `most` characters; a cut is shown as `…` and never parts a letter's marks."""
    line = one_line(text[: 4 * most + 100])  # so that a word of a million letters costs nothing
    return line if len(line) <= most else line[: whole(line, most - 1)] + "…"


def whole(text: str, at: int) -> int:
    """Return the first place from `at` on where a character begins, and not a mark of the one before."""
    while 0 < at < len(text) and (clings(text[at]) or text[at - 1] == _JOINER):
        at += 1
    return at


def clings(c: str) -> bool:
    """Return whether a character belongs to the one before: accents, joiners, variants and skin tones."""
    return unicodedata.category(c) in ("Mn", "Me", "Mc", "Cf") or "\U0001f3fb" <= c <= "\U0001f3ff"
