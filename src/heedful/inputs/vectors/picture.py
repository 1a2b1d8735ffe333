"""Vectors as a picture: a bar for each, as high as where the model looked, and as what each vector does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Explanation
from heedful.show.heatmaps.description import description
from heedful.show.heatmaps.picture import CALM, DOUBT, MARGIN, MOST_WIDE, NARROWEST, Drawer
from heedful.show.heatmaps.units import UNITS, in_units
from heedful.show.heatmaps.view import ATTENTION_ONLY, HeatmapView, Row, view
from heedful.show.kit.svg import svg
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.text_width import advance, fitted

ACCOUNT = (
    "Attention is where the model looked: it has no sign and belongs to no label. Effects have both: a blue bar goes "
    "up and speaks for the label that is named, an orange one goes down and speaks against it."
)
GUTTER, BARS, WIDEST = 44, 84, 40.0  # room for the scale; height; the widest a bar is
MOST_BARS = 200  # of more vectors, neighbours share a bar


def picture_of(explanation: Explanation, *, width: int = 760) -> str:
    """Return the picture of an explanation whose input was vectors."""
    return vector_picture(view(explanation), explanation.source, width=width)


def vector_picture(drawn: HeatmapView, source: object = None, *, width: int = 760) -> str:
    """Return a picture of a view whose words are vectors, one after the other; the vectors are not drawn."""
    if not NARROWEST <= width <= MOST_WIDE:
        raise HeedfulError(f"width is {width}, a picture is from {NARROWEST} to {MOST_WIDE} wide")
    drawer = _VectorDrawer(width, [word.text for word in drawn.words])
    drawer.heading(drawn)
    for line in drawn.remarks:
        drawer.note(line, DOUBT)
    for line in (_about(source, len(drawn.words)), *drawn.notes):
        drawer.soft(line)
    for row in drawn.rows[:2]:
        drawer.caption(replace(row, about=in_units(row.about, UNITS["vectors"])))
        drawer.bars(row)
    if drawn.verdict:
        drawer.note(drawn.verdict.replace("`", "'"), DOUBT if drawn.is_doubtful else CALM)
    drawer.soft(drawn.account or (ACCOUNT if drawn.has_effects else ATTENTION_ONLY))
    title = f"{drawn.title} {drawn.value}".strip() or drawn.rows[0].name
    return svg.drawing(width, drawer.y + MARGIN, title=title, about=description(drawn), body="\n".join(drawer.drawn))


class _VectorDrawer(Drawer):
    """Draws panels of bars that stand one below the other."""

    def __init__(self, width: int, names: list[str]) -> None:
        super().__init__(width)
        self.per = -(-len(names) // MOST_BARS) or 1  # vectors in one bar
        self.names, self.left = names[:: self.per], MARGIN + GUTTER
        self.wide = min(WIDEST, (self.inner - GUTTER) / max(1, len(self.names)))

    def bars(self, row: Row) -> None:
        """Draw a bar for each vector: from the ground up, or where there are signs from the middle both ways."""
        self.y += 8
        reach = BARS / 2 if row.is_signed else BARS
        zero = self.y + reach
        for i, shade in enumerate(self._strongest(row.shades)):
            high = min(1.0, abs(shade)) * reach
            if high < 0.5:
                continue
            colour = svg.shade_colour(
                float(np.sign(shade)) if row.is_signed else max(0.25, shade), is_signed=row.is_signed
            )
            top = zero if shade < 0 else zero - high
            gap = 1.0 if self.wide > 5 else 0.0
            bar = svg.box(self.left + i * self.wide + gap / 2, top, self.wide - gap, high, colour, round_by=0)
            self.drawn.append(bar)
        right = self.left + len(self.names) * self.wide
        self.drawn.append(f'<path d="M{self.left} {zero:.1f}H{right:.1f}" stroke="{svg.SOFT}" stroke-width="0.8"/>')
        self._scale(row, zero)
        self.y += BARS
        self._named()

    def _scale(self, row: Row, zero: float) -> None:
        """Name the value of a full bar, and nothing."""
        largest = float(np.abs(np.nan_to_num(row.values)).max(initial=0.0))
        full = largest / max(float(np.abs(row.shades).max(initial=0.0)), 1e-12)
        marks = [(full, self.y + 9), (0.0, zero + (4 if row.is_signed else 0))]
        if row.is_signed:
            marks.append((-full, self.y + BARS))
        for value, y in marks:
            label = number(value, digits=2, plus=row.is_signed).replace("−", "–")  # not every font has a minus
            self.drawn.append(svg.text(label, self.left - 6, y, size=11, more=f'text-anchor="end" fill="{svg.SOFT}"'))

    def _named(self) -> None:
        """Write the names below, as many as there is room for."""
        longest = max((advance(fitted(name, 6)) for name in self.names), default=1.0) * 11 + 6
        every = max(1, int(np.ceil(longest / self.wide)))
        more = f'text-anchor="middle" fill="{svg.SOFT}"'
        self.drawn += [
            svg.text(fitted(name, 6), self.left + (i * every + 0.5) * self.wide, self.y + 14, size=11, more=more)
            for i, name in enumerate(self.names[::every])
        ]
        self.y += 20

    def _strongest(self, shades: NDArray[np.float32]) -> list[float]:
        groups = [shades[i : i + self.per] for i in range(0, len(shades), self.per)]
        return [float(group[np.abs(group).argmax()]) for group in groups]


def _about(source: object, n: int) -> str:
    shape: tuple[int, ...] = np.asarray(source).shape if source is not None else ()
    many = f"{n} vector{'s' if n != 1 else ''}"
    cut = f", the first of {shape[0]:,}" if len(shape) == 2 and shape[0] > n else ""
    return f"{many} of {shape[-1]} numbers{cut}" if shape else many
