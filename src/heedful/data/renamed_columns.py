"""Columns of the input that have the name of one of ours: they are kept, under another name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

PREFIX = "input_"
TOKENS = "tokens"  # of a tagger: the answer says again what was read, so a list of them is not kept twice


def free_names(names: Iterable[str], ours: Collection[str]) -> dict[str, str]:
    """Return what each column of the input is called in the output: `predicted` becomes `input_predicted`."""
    known = list(names)
    taken = {*ours, *known}
    found: dict[str, str] = {}
    for name in known:
        free = name
        while free in ours or (free != name and free in taken):
            free = PREFIX + free
        found[name] = free
        taken.add(free)
    return found


def beside(values: Mapping[str, Any], ours: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cells of a row with the answer's after them; none takes the place of another."""
    kept = {name: cell for name, cell in values.items() if name != TOKENS or cell != ours.get(TOKENS)}
    return {**making_room(kept, ours), **ours}


def making_room(values: Mapping[str, Any], ours: Collection[str]) -> dict[str, Any]:
    """Return the cells of a row under names that are not ours."""
    if values.keys().isdisjoint(ours):
        return dict(values)
    names = free_names(values, ours)
    return {names[name]: cell for name, cell in values.items()}
