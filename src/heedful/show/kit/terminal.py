"""Shaded words, bars and indented blocks in a terminal."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from rich.color import Color
from rich.console import RenderableType
from rich.padding import Padding
from rich.style import Style

from heedful.show.kit.svg.shades import FAINT
from heedful.show.kit.text.sanitise import one_line

PAPER, INK, RUST = (247, 251, 255), (8, 69, 148), (166, 76, 0)  # from paper to what speaks for, and what against
VIOLET = (91, 44, 152)  # attention: one hue, and not one of the two that have a meaning
MIDDLE = 118  # of 255: on a darker ground white letters are easier to read than black ones
FULL = "█"


def weight_style(shade: float) -> Style:
    """Return a violet ground for a weight."""
    return _on_ground(shade, VIOLET)


def effect_style(shade: float) -> Style:
    """Return a blue ground for what speaks for a label, a rust one with a line under it for what speaks against."""
    return _on_ground(shade, INK) if shade > 0 else _on_ground(-shade, RUST, underline=True)


def within_cells(word: str, width: int) -> str:
    """Return a word that takes at most so many columns of a terminal."""
    text = one_line(word)
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


def indented(block: RenderableType) -> Padding:
    """Return a block two columns to the right."""
    return Padding(block, (0, 0, 0, 2))


def _on_ground(strength: float, far: tuple[int, int, int], *, underline: bool = False) -> Style:
    if strength < FAINT:
        return Style()
    ground = [round(p + (f - p) * min(1.0, strength)) for p, f in zip(PAPER, far, strict=True)]
    lightness = sum(part * share for part, share in zip(ground, (0.2126, 0.7152, 0.0722), strict=True))
    ink = (255, 255, 255) if lightness < MIDDLE else (10, 10, 10)
    return Style(
        bgcolor=Color.from_rgb(*ground), color=Color.from_rgb(*ink), bold=strength > 0.5, underline=underline or None
    )
