"""How wide a text is, about, without a font: pictures are drawn on machines that we do not know."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

from heedful.show.kit.text.truncate import clings, shortened

# Widths in em: the mean of Liberation Sans (as wide as Arial) and Noto Sans; Arabic letters as inside a word.
_CLASSES = {
    0.24: "'ijl‘’·",
    0.28: " !,.:;،؛٠آأإا",
    0.32: "()-/I[\\]`ftוזיןιبتثنيلئپی",
    0.39: 'r{}"J|“”„«»؟•гτגנءرزژ',
    0.48: "*?csz^_kvxy–зкстухэγεζκξςכؤةهوفقدذعغم",
    0.56: "0123456789$+<=>FLae~−×бвдлпрчьяδηθλνυχבדךלעץצרكکگ",
    0.61: "#ESTYZbdghnopquйицъβπσאהחטמסףפקجحخطظچ",
    0.65: "ABKPVX&CR",
    0.72: "DHUGNOQwжмыφψםשתى",
    0.82: "سشصضфюω…",
    0.90: "%MmW@шщ—",
}
_WIDTHS = {c: width for width, letters in _CLASSES.items() for c in letters}
_WIDE, _EMOJI, _OTHER = 1.0, 1.25, 0.57
# By block of 128 characters: the mean width of letters, and of vowel signs that stand beside them, in Noto Sans.
_BLOCKS = {
    0x900: (0.65, 0.26), 0x980: (0.69, 0.45), 0xA00: (0.66, 0.29), 0xA80: (0.70, 0.26), 0xB80: (1.00, 0.90),
    0xC00: (0.81, 0.45), 0xC80: (0.84, 0.49), 0xD00: (1.04, 0.80), 0xD80: (0.94, 0.71), 0x1000: (0.89, 0.40),
    0x1780: (0.70, 0.57), 0x1200: (0.72, 0.0), 0x1280: (0.72, 0.0), 0x1300: (0.72, 0.0),
}  # fmt: skip
_JOINER, _AS_EMOJI = "\u200d", "\ufe0f"
BOLD = 1.08  # a bold text is about this much wider


def advance(text: str) -> float:
    """Return the width of a text in em."""
    total = _one(text[0]) if text else 0.0
    for before, c in pairwise(text):
        if c == _AS_EMOJI:  # the one before is drawn as an emoji
            total += _EMOJI - _one(before)
        elif before != _JOINER:
            total += _one(c)
    return total


def fitted(text: str, width: float) -> str:
    """Return text on one line that is at most so many em wide, cut with `…` where it must be."""
    most = len(text)
    line = shortened(text, most) if text else ""
    while most > 1 and advance(line) > width:
        most = max(1, min(most - 1, int(len(line) * width / advance(line))))
        line = shortened(text, most)
    return line


def wrapped(text: str, width: float) -> list[str]:
    """Return lines of at most so many em."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and advance(longer) > width:
            lines.append(fitted(word, width))
        else:
            lines[-1] = fitted(longer, width)
    return lines


def is_wide(c: str) -> bool:
    """Return whether a character is as wide as it is high, as those between which a line may break."""
    return unicodedata.east_asian_width(c) in "WF"


def is_emoji(c: str) -> bool:
    """Return whether a character is drawn in colour."""
    return "\U0001f000" <= c <= "\U0001faff" or (is_wide(c) and unicodedata.category(c) == "So")


def _one(c: str) -> float:
    if (width := _WIDTHS.get(c)) is not None:
        return width
    if "\U0001f1e6" <= c <= "\U0001f1ff":  # half a flag
        return _EMOJI / 2
    letter, sign = _BLOCKS.get(ord(c) & ~0x7F, (_OTHER, _OTHER / 2))
    if clings(c):
        return 0.0 if unicodedata.category(c) != "Mc" else sign
    if is_emoji(c):
        return _EMOJI
    if is_wide(c):
        return _WIDE
    base = unicodedata.normalize("NFD", c)[0]  # é is as wide as e
    return _WIDTHS.get(base, letter)
