"""Checks of JSON from untrusted files: types, lengths and exact fields."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from heedful.files.unicode import without_lone_surrogates

Check = Callable[[Any], bool]

NAME, LINE = 300, 10_000  # characters of a word, label or window; of a note
LARGEST = 2**53  # integers up to this are exact in every JSON parser


def text(most: int = NAME, *, least: int = 0) -> Check:
    """Return a check for a text of limited length without lone surrogates."""
    return lambda value: (
        isinstance(value, str) and least <= len(value) <= most and without_lone_surrogates(value) == value
    )


def is_count(value: Any) -> bool:
    """Return whether this is an integer of 0 or more."""
    return type(value) is int and 0 <= value < LARGEST


def is_number(value: Any) -> bool:
    """Return whether this is a finite number; integers are counts."""
    return is_count(value) or (type(value) is float and math.isfinite(value))


def is_flag(value: Any) -> bool:
    """Return whether this is true or false."""
    return type(value) is bool


def maybe(check: Check) -> Check:
    """Return a check for a value that may be null."""
    return lambda value: value is None or check(value)


def choice(*names: str) -> Check:
    """Return a check for one of these texts."""
    return lambda value: isinstance(value, str) and value in names


def list_of(check: Check, most: int, *, least: int = 0) -> Check:
    """Return a check for a list of limited length."""
    return lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(check, value))


def fields(checks: Mapping[str, Check]) -> Check:
    """Return a check for an object with exactly these fields."""
    return lambda value: (
        isinstance(value, dict) and value.keys() == checks.keys() and all(c(value[k]) for k, c in checks.items())
    )
