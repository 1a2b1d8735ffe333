"""Lone surrogates: JSON and Python strings can contain them, UTF-8 files cannot."""

from __future__ import annotations

import re
from typing import Any

_HALF_PAIR = re.compile("[\ud800-\udfff]")


def without_lone_surrogates(text: str) -> str:
    """Return the text with U+FFFD for each lone surrogate."""
    return text if text.isascii() else _HALF_PAIR.sub("\ufffd", text)


def whole_value(value: Any) -> Any:
    """Return a JSON value without lone surrogates, at any depth and in keys."""
    if isinstance(value, str):
        return without_lone_surrogates(value)
    if isinstance(value, list):
        return [whole_value(item) for item in value]
    return {whole_value(name): whole_value(item) for name, item in value.items()} if isinstance(value, dict) else value
