"""Half a surrogate pair: JSON and Python can spell one, but no file can hold it."""

from __future__ import annotations

import re
from typing import Any

_HALF_PAIR = re.compile("[\ud800-\udfff]")


def without_half_pairs(text: str) -> str:
    """Return the text with U+FFFD for each half pair."""
    return text if text.isascii() else _HALF_PAIR.sub("\ufffd", text)


def whole_value(value: Any) -> Any:
    """Return a value of JSON without half pairs, however deep they stand, in keys too."""
    if isinstance(value, str):
        return without_half_pairs(value)
    if isinstance(value, list):
        return [whole_value(one) for one in value]
    return {whole_value(name): whole_value(one) for name, one in value.items()} if isinstance(value, dict) else value
