"""Cells of a table, each on a ground as strong as its number."""

from __future__ import annotations

from dataclasses import dataclass

from heedful.show.kit.svg.shades import FAINT, STRONG
from heedful.show.kit.text.numbers import number

ROOMY = 14  # columns that have room for numbers; with more, a number shows under the pointer


@dataclass(frozen=True, slots=True)
class Cell:
    """A number on a background; `shade` is empty if the background has no color."""

    classes: str
    shade: str
    number: str
    is_reachable: bool = False  # by the tab key


def cell(
    value: float, shade: float, *, is_signed: bool = False, is_tight: bool = False, digits: int = 3, classes: str = "c"
) -> Cell:
    """Return a number on its ground; in a tight table the tab key stops at the strongest."""
    is_faint = abs(shade) < FAINT
    sign = "" if is_faint or not is_signed else " for" if shade > 0 else " against"
    is_reachable = is_tight and abs(shade) >= STRONG
    return Cell(classes + sign, "" if is_faint else f"{abs(shade):.2f}", number(value, digits=digits), is_reachable)
