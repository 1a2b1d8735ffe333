"""Half a surrogate pair: JSON and Python can spell one, but no file can hold it."""

from __future__ import annotations

import re

_HALF_PAIR = re.compile("[\ud800-\udfff]")


def without_half_pairs(text: str) -> str:
    """Return the text with U+FFFD for each half pair."""
    return text if text.isascii() else _HALF_PAIR.sub("\ufffd", text)
