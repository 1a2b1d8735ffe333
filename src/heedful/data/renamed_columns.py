"""Input columns whose names clash with output columns: they are kept under another name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

PREFIX = "input_"
TOKENS = "tokens"  # a tagger's answer repeats the tokens, so an equal input column is not kept twice


def free_names(names: Iterable[str], ours: Collection[str]) -> dict[str, str]:
    """Return the output name of each input column: `predicted` becomes `input_predicted`."""
    originals = list(names)
    taken = {*ours, *originals}
    renamed: dict[str, str] = {}
    for name in originals:
        free = name
        while free in ours or (free != name and free in taken):
            free = PREFIX + free
        renamed[name] = free
        taken.add(free)
    return renamed


def beside(values: Mapping[str, Any], ours: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cells of a row followed by those of the answer, renamed so that none is overwritten."""
    kept = {name: cell for name, cell in values.items() if name != TOKENS or cell != ours.get(TOKENS)}
    return {**making_room(kept, ours), **ours}


def making_room(values: Mapping[str, Any], ours: Collection[str]) -> dict[str, Any]:
    """Return the cells of a row under names that no output column has."""
    if values.keys().isdisjoint(ours):
        return dict(values)
    names = free_names(values, ours)
    return {names[name]: cell for name, cell in values.items()}
