"""The schema of a saved hop atlas, to validate untrusted files."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, pairwise
from typing import Any

from heedful.store.results.json_checks import (
    LINE,
    NAME,
    choice,
    fields,
    is_count,
    is_flag,
    is_number,
    list_of,
    maybe,
    text,
)

MOST_HOPS, MOST_WORDS, MOST_LABELS, MOST_PLACES, MOST_MAP = 1_000, 50, 100, 10, 200


def is_atlas(tree: Any) -> bool:
    """Return whether this has exactly the fields of `HopAtlas.to_dict`, with valid types and lengths."""
    return _ATLAS(tree) and _fits(tree)


_PLACE = fields(
    {
        "text": text(),
        "spans": list_of(list_of(is_count, 2, least=2), NAME, least=1),
        "weights": list_of(is_number, NAME, least=1),
        "at": is_count,
        "n_words": lambda value: is_count(value) and value > 0,
        "is_start": is_flag,
        "is_end": is_flag,
    }
)
_WORD = fields(
    {
        "word": text(),
        "lift": is_number,
        "weight": is_number,
        "count": is_count,
        "is_known": is_flag,
        "places": list_of(lambda place: _PLACE(place) and _is_place(place), MOST_PLACES),
    }
)
_LABEL = fields(
    {
        "label": text(),
        "n_texts": is_count,
        "entropy": maybe(is_number),
        "words": list_of(_WORD, MOST_WORDS),
    }
)
_SHARES = fields(
    {
        "words": is_number,
        "marks": is_number,
        "unknown": is_number,
        "first": maybe(is_number),
        "last": maybe(is_number),
    }
)
_HOP = fields(
    {
        "number": is_count,
        "entropy": maybe(is_number),
        "state": choice("alive", "even", "first", "last", "ends"),
        "shares": _SHARES,
        "words": list_of(_WORD, MOST_WORDS),
        "by_label": list_of(_LABEL, MOST_LABELS),
        "is_dead": is_flag,
    }
)
_ATLAS = fields(
    {
        "format": lambda value: type(value) is int and value == 1,
        "model": text(),
        "file": text(),
        "task": text(),
        "n_texts": is_count,
        "n_words": is_count,
        "labels_are": choice("true", "predicted", "none"),
        "map_words": list_of(text(), MOST_MAP),
        "n_forgotten": is_count,
        "hops": list_of(_HOP, MOST_HOPS, least=1),
        "even": _SHARES,
        "likeness": list_of(list_of(is_number, MOST_HOPS), MOST_HOPS),
        "map": list_of(list_of(is_number, MOST_MAP), MOST_HOPS),
        "duplicates": list_of(list_of(is_count, MOST_HOPS, least=2), MOST_HOPS),
        "needed": is_count,
        "notes": list_of(text(LINE, least=1), MOST_HOPS),
        "suggestion": text(LINE),
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
