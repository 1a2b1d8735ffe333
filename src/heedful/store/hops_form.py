"""The schema of a saved hop atlas, to validate untrusted files."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import chain, pairwise
from typing import Any

from heedful.files.unicode import without_lone_surrogates

Check = Callable[[Any], bool]

MOST_HOPS, MOST_WORDS, MOST_LABELS, MOST_PLACES, MOST_MAP = 1_000, 50, 100, 10, 200
NAME, LINE = 300, 10_000  # characters of a word, label or window; of a note
LARGEST = 2**53  # integers up to this are exact in every JSON parser


def is_atlas(tree: Any) -> bool:
    """Return whether this has exactly the fields of `HopAtlas.to_dict`, with valid types and lengths."""
    return _ATLAS(tree) and _fits(tree)


def _text(most: int = NAME, *, least: int = 0) -> Check:
    """Return a check for a text of limited length without lone surrogates."""
    return lambda value: (
        isinstance(value, str) and least <= len(value) <= most and without_lone_surrogates(value) == value
    )


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < LARGEST


def _is_number(value: Any) -> bool:
    return _is_count(value) or (type(value) is float and math.isfinite(value))


def _is_flag(value: Any) -> bool:
    return type(value) is bool


def _maybe(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _choice(*names: str) -> Check:
    return lambda value: isinstance(value, str) and value in names


def _list_of(check: Check, most: int, *, least: int = 0) -> Check:
    return lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(check, value))


def _fields(checks: Mapping[str, Check]) -> Check:
    return lambda value: (
        isinstance(value, dict) and value.keys() == checks.keys() and all(c(value[k]) for k, c in checks.items())
    )


_PLACE = _fields(
    {
        "text": _text(),
        "spans": _list_of(_list_of(_is_count, 2, least=2), NAME, least=1),
        "weights": _list_of(_is_number, NAME, least=1),
        "at": _is_count,
        "n_words": lambda value: _is_count(value) and value > 0,
        "is_start": _is_flag,
        "is_end": _is_flag,
    }
)
_WORD = _fields(
    {
        "word": _text(),
        "lift": _is_number,
        "weight": _is_number,
        "count": _is_count,
        "is_known": _is_flag,
        "places": _list_of(lambda place: _PLACE(place) and _is_place(place), MOST_PLACES),
    }
)
_LABEL = _fields(
    {
        "label": _text(),
        "n_texts": _is_count,
        "entropy": _maybe(_is_number),
        "words": _list_of(_WORD, MOST_WORDS),
    }
)
_SHARES = _fields(
    {
        "words": _is_number,
        "marks": _is_number,
        "unknown": _is_number,
        "first": _maybe(_is_number),
        "last": _maybe(_is_number),
    }
)
_HOP = _fields(
    {
        "number": _is_count,
        "entropy": _maybe(_is_number),
        "state": _choice("alive", "even", "first", "last", "ends"),
        "shares": _SHARES,
        "words": _list_of(_WORD, MOST_WORDS),
        "by_label": _list_of(_LABEL, MOST_LABELS),
        "is_dead": _is_flag,
    }
)
_ATLAS = _fields(
    {
        "format": lambda value: type(value) is int and value == 1,
        "model": _text(),
        "file": _text(),
        "task": _text(),
        "n_texts": _is_count,
        "n_words": _is_count,
        "labels_are": _choice("true", "predicted", "none"),
        "map_words": _list_of(_text(), MOST_MAP),
        "n_forgotten": _is_count,
        "hops": _list_of(_HOP, MOST_HOPS, least=1),
        "even": _SHARES,
        "likeness": _list_of(_list_of(_is_number, MOST_HOPS), MOST_HOPS),
        "map": _list_of(_list_of(_is_number, MOST_MAP), MOST_HOPS),
        "duplicates": _list_of(_list_of(_is_count, MOST_HOPS, least=2), MOST_HOPS),
        "needed": _is_count,
        "notes": _list_of(_text(LINE, least=1), MOST_HOPS),
        "suggestion": _text(LINE),
    }
)


def _is_place(place: Mapping[str, Any]) -> bool:
    """Return whether the spans of a window are in order and include the word it is about."""
    ends = list(chain.from_iterable(place["spans"]))
    in_order = all(a <= b for a, b in pairwise(ends)) and ends[-1] <= len(place["text"])
    return in_order and len(place["weights"]) == len(place["spans"]) > place["at"]


def _fits(tree: Mapping[str, Any]) -> bool:
    """Return whether related lists have the same length, and references to hops are valid."""
    n, n_words = len(tree["hops"]), len(tree["map_words"])
    return (
        [hop["number"] for hop in tree["hops"]] == list(range(1, n + 1))
        and [len(row) for row in tree["likeness"]] == [n] * n
        and [len(row) for row in tree["map"]] == [n_words] * n
        and all(1 <= number <= n for group in tree["duplicates"] for number in group)
        and 1 <= tree["needed"] <= n
    )
