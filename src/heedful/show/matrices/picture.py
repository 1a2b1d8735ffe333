"""A matrix of weights between words as an SVG picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from heedful.errors import HeedfulError
from heedful.show.heatmaps.picture import MARGIN, MOST_WIDE, NARROWEST, SAFE
from heedful.show.kit.svg import svg
from heedful.show.kit.svg.shades import FAINT
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.text_width import BOLD, advance, fitted, wrapped
from heedful.show.matrices.view import TITLE, MatrixView, view

if TYPE_CHECKING:
    from heedful.show.matrices.api import Matrix

LARGEST, SMALLEST = 40.0, 11.0  # sides of a cell
ROOM_FOR_NUMBERS = 32.0
GAP, LABEL = 28, 7.0  # between panels; em of the longest word beside a matrix


@dataclass(frozen=True)
class _Plan:
    """How large things are."""

    per_row: int  # panels side by side
    cell: float
    size: float  # of letters
    beside: float  # room for the words of the rows
    above: float  # room for the words of the columns, and for the panel's name
    name: float

    def wide(self, drawn: MatrixView) -> float:
        return self.beside + self.cell * len(drawn.columns) + GAP

    def high(self, drawn: MatrixView) -> float:
        return self.above + self.cell * len(drawn.rows) + GAP


def matrix_picture(matrix: Matrix, *, width: int = 760) -> str:
    """Return all panels on one scale, and what the weights are."""
    drawn = view(matrix)
    if not NARROWEST <= width <= MOST_WIDE:
        raise HeedfulError(f"width is {width}, a picture is from {NARROWEST} to {MOST_WIDE} wide")
    plan = _plan(drawn, width - 2 * MARGIN)
    body, top = _heading(drawn, width)
    for panel in range(len(drawn.names)):
        down, across = divmod(panel, plan.per_row)
        body += _panel(drawn, panel, plan, MARGIN + across * plan.wide(drawn), top + down * plan.high(drawn))
    bottom = top + -(-len(drawn.names) // plan.per_row) * plan.high(drawn) - GAP
    whole = max(width, MARGIN * 2 + plan.per_row * plan.wide(drawn) - GAP)
    for line in wrapped(drawn.account, (width - 2 * MARGIN) / 13 * SAFE):
        bottom += 19
        body.append(svg.text(line, MARGIN, bottom + 4, size=13, more=f'fill="{svg.SOFT}"'))
    title = drawn.title or TITLE
    return svg.drawing(round(whole), round(bottom + MARGIN), title=title, about=drawn.account, body="\n".join(body))


def _plan(drawn: MatrixView, inner: float) -> _Plan:
    longest = [min(LABEL, max(map(advance, words))) for words in (drawn.rows, drawn.columns)]
    least = 11 * longest[0] + 8 + SMALLEST * len(drawn.columns) + GAP
    per_row = min(len(drawn.names), max(1, int((inner + GAP) // least)))
    room = (inner + GAP) / per_row - GAP - 12 * longest[0] - 8
    cell = max(SMALLEST, min(LARGEST, room / len(drawn.columns)))
    size = min(12.0, cell * 0.9)
    name = 22.0 if drawn.names[0] else 0.0
    return _Plan(per_row, cell, size, longest[0] * size + 8, longest[1] * size + 8 + name, name)


def _heading(drawn: MatrixView, width: int) -> tuple[list[str], float]:
    top = float(MARGIN)
    elements = []
    if drawn.title:
        top += 20
        title = fitted(drawn.title, (width - 2 * MARGIN) / (20 * BOLD))
        elements.append(svg.text(title, MARGIN, top, size=20, more='font-weight="700"'))
    top += 20
    elements.append(svg.legend(width - MARGIN, top, is_signed=drawn.is_signed, ends=drawn.ends))
    return elements, top + 10


def _panel(drawn: MatrixView, panel: int, plan: _Plan, x: float, y: float) -> list[str]:
    left, top = x + plan.beside, y + plan.above
    elements = [svg.text(drawn.names[panel], left, y + 14, size=13, more='font-weight="700"')] if plan.name else []
    for j, word in enumerate(drawn.columns):
        at = left + (j + 0.5) * plan.cell + plan.size * 0.35
        elements.append(_label(word, at, top - 5, plan, f'transform="rotate(-90 {at:.1f} {top - 5:.1f})"'))
    for i, word in enumerate(drawn.rows):
        middle = top + (i + 0.5) * plan.cell + plan.size * 0.35
        elements.append(_label(word, left - 5, middle, plan, 'text-anchor="end"'))
        elements += [_cell(drawn, (panel, i, j), plan, left + j * plan.cell, top) for j in range(len(drawn.columns))]
    return elements


def _label(word: str, x: float, y: float, plan: _Plan, more: str) -> str:
    label = fitted(word, LABEL)
    return svg.text(label, x, y, size=plan.size, length=advance(label) * plan.size, more=more)


def _cell(drawn: MatrixView, at: tuple[int, int, int], plan: _Plan, x: float, top: float) -> str:
    shade, weight = float(drawn.shades[at]), float(drawn.weights[at])
    y, side = top + at[1] * plan.cell, plan.cell
    ground = svg.box(
        x + 0.5, y + 0.5, side - 1, side - 1, svg.shade_colour(shade, is_signed=drawn.is_signed), round_by=2
    )
    if side < ROOM_FOR_NUMBERS:
        return ground + (_minus(x, y, side) if shade <= -FAINT else "")
    return ground + svg.text(
        number(weight, digits=2), x + side / 2, y + side / 2 + 4, size=11, more='text-anchor="middle"'
    )


def _minus(x: float, y: float, side: float) -> str:
    """Return a sign that tells what is less than 0 without colours."""
    return svg.box(x + side * 0.35, y + side / 2 - 0.6, side * 0.3, 1.2, svg.EDGE, round_by=0)
