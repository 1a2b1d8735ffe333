"""Numbers as they are shown, the same in a terminal, on a page and in a picture."""

from __future__ import annotations

from math import isfinite

NOTHING = "–"  # for a number that could not be measured


def number(value: float, *, digits: int = 3, plus: bool = False) -> str:
    """Return a number with a true minus sign, no sign before zero, and a dash if it is not finite."""
    if not isfinite(value):
        return NOTHING
    size = f"{abs(value):.{digits}f}"
    if not float(size):
        return size
    return f"−{size}" if value < 0 else f"+{size}" if plus else size


def percent(share: float | None, *, digits: int = 0) -> str:
    """Return a share of 1 as a percentage, and a dash if there is none."""
    return NOTHING if share is None else f"{100 * share:.{digits}f} %"


def short(value: float, *, digits: int = 2) -> str:
    """Return a number with two decimals."""
    return number(value, digits=digits)
