"""Comparison of a JSON value from an untrusted file with the value that heedful would write."""

from __future__ import annotations

from typing import Any

UNSET: tuple[Any, ...] = (None, False, [], {})


def first_difference(given: Any, ours: Any, *, allow_unset: bool = False, place: str = "the top") -> str | None:
    """Return the key of the first value of `given` that differs, or None; keys that are only in `ours` are ignored.

    With `allow_unset`, keys that are only in `given` are accepted if their value is null, false or empty, also inside
    lists: a newer library may write settings that are not in use.
    """
    if isinstance(given, dict) and isinstance(ours, dict):
        for key, value in given.items():
            if key not in ours and not allow_unset:
                return repr(key)
            inner = first_difference(value, ours.get(key), allow_unset=allow_unset, place=repr(key))
            if inner is not None:
                return inner
        return None
    if allow_unset and isinstance(given, list) and isinstance(ours, list) and len(given) == len(ours):
        pairs = zip(given, ours, strict=True)
        differences = (first_difference(*pair, allow_unset=True, place=place) for pair in pairs)
        return next((difference for difference in differences if difference is not None), None)
    is_same = type(given) is type(ours) and given == ours
    return None if is_same or (allow_unset and ours is None and given in UNSET) else place
