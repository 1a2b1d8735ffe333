"""A colour for each kind of label: the same for the same kind wherever labels are shown together."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable

from heedful.tasks.tag.spans import OUTSIDE

GOLDEN = 137.508  # degrees: hues that follow each other are far apart, however many there are
FIRST = 205.0  # a blue


def kind_of(label: str, *, has_spans: bool) -> str:
    """Return what a label is about: of B-person, person; nothing for O."""
    if not has_spans:
        return label
    return "" if label == OUTSIDE else label.partition("-")[2] or "span"


def hues(kinds: Iterable[str]) -> dict[str, float]:
    """Return a hue in degrees for each kind, by the alphabet."""
    return {kind: (FIRST + GOLDEN * i) % 360 for i, kind in enumerate(sorted(set(kinds) - {""}))}


def rgb(hue: float, *, lightness: float, saturation: float = 0.6) -> tuple[int, int, int]:
    """Return a colour as three numbers up to 255."""
    return tuple(round(255 * part) for part in colorsys.hls_to_rgb(hue / 360, lightness, saturation))  # type: ignore[return-value]


def code(hue: float, *, lightness: float, saturation: float = 0.6) -> str:
    """Return a colour as #rrggbb."""
    return "#" + "".join(f"{part:02x}" for part in rgb(hue, lightness=lightness, saturation=saturation))
