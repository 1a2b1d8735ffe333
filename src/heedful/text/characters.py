"""Characters as numbers: lower case, and whether they are part of words."""

from __future__ import annotations

import unicodedata
from contextlib import suppress
from functools import cache

import numpy as np
from numpy.typing import NDArray

SPACE, WORD, UNSPACED, OTHER = (
    0,
    1,
    2,
    3,
)  # kinds of characters; those of scripts without spaces are tokens of their own
_PLANE = 0x10000  # characters in tables; of others, the kind goes by the block
_UNSPACED_BLOCKS = (
    (0x0E01, 0x0E50), (0x0E81, 0x0EE0), (0x0F40, 0x0FBD), (0x1000, 0x10A0), (0x1780, 0x17DE), (0x3005, 0x3008),
    (0x3021, 0x302A), (0x3031, 0x303D), (0x3041, 0x3100), (0x3105, 0x3130), (0x31A0, 0x31C0), (0x31F0, 0x3200),
    (0x3400, 0x4DC0), (0x4E00, 0xA000), (0xA000, 0xA48D), (0xF900, 0xFB00), (0xFF66, 0xFFA0),
)  # fmt: skip
_JOINERS = (0x200C, 0x200D)  # within words of Persian and of Indian scripts


class CharacterTable:
    """Looks up many characters at once."""

    def read(self, codes: NDArray[np.uint32]) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
        """Return the lower case and the kind of each code. Characters that cannot be seen are spaces."""
        lower, kinds = _tables()
        with suppress(IndexError):  # a code beyond the tables is rare
            return lower.take(codes), kinds.take(codes)
        in_table = codes < _PLANE
        low = np.where(in_table, codes, 0)
        beyond = np.where(codes < 0x1F000, WORD, np.where((codes >= 0x20000) & (codes < 0x40000), UNSPACED, OTHER))
        return np.where(in_table, lower[low], codes.astype(np.uint64)), np.where(in_table, kinds[low], beyond).astype(
            np.uint8
        )


@cache
def _tables() -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    characters = [chr(i) for i in range(_PLANE)]
    lower = np.array([ord(low) if len(low := c.lower()) == 1 else i for i, c in enumerate(characters)], dtype=np.uint64)
    categories = [unicodedata.category(c) for c in characters]
    by_category = dict.fromkeys(set(categories), OTHER)
    by_category |= {c: WORD for c in by_category if c[0] in "LMN"}
    by_category |= {c: SPACE for c in by_category if c[0] in "ZC"}
    kinds = np.array([by_category[category] for category in categories], dtype=np.uint8)
    for start, end in _UNSPACED_BLOCKS:
        kinds[start:end] = UNSPACED
    kinds[list(_JOINERS)] = WORD
    kinds[ord("_")] = WORD
    return lower, kinds


def composed(text: str) -> tuple[str, NDArray[np.int64] | None]:
    """Return a text in NFC, and the position in the original of each character; None if the text is in NFC already."""
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text, None
    parts, positions, start = [], [], 0
    for end in range(1, len(text) + 1):
        if end < len(text) and (unicodedata.combining(text[end]) or 0x1160 <= ord(text[end]) <= 0x11FF):
            continue
        part = unicodedata.normalize("NFC", text[start:end])
        parts.append(part)
        positions += [min(start + i, end - 1) for i in range(len(part))]
        start = end
    return "".join(parts), np.array(positions, dtype=np.int64)
