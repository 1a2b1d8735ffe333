"""Two texts as one SVG picture: the answer, and below it the texts side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heedful.errors import HeedfulError
from heedful.show.heatmaps.picture import (
    BAR,
    CALM,
    DOUBT,
    MARGIN,
    MOST_LINES,
    MOST_WIDE,
    NARROWEST,
    NUMBER,
    SIZE,
    Drawer,
)
from heedful.show.heatmaps.view import HeatmapView
from heedful.show.kit.svg import svg
from heedful.show.kit.text.lines import layout
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.text_width import fitted
from heedful.show.similarity.view import Pair
from heedful.tasks.pair.explanation import PairExplanation
from heedful.tasks.pair.show.sum_view import SumView
from heedful.tasks.pair.show.view import view

PAIRS = 5  # in each list


def pair_picture(explanation: PairExplanation, *, width: int = 1000) -> str:
    """Return both heatmaps side by side, two rows of each, the answer above, and pairs of words and verdict below."""
    if not 2 * NARROWEST <= width <= MOST_WIDE:
        raise HeedfulError(f"width is {width}, a picture of two texts is from {2 * NARROWEST} to {MOST_WIDE} wide")
    drawn = view(explanation)
    whole = Drawer(width)
    whole.heading(
        replace(
            drawn.sides[0],
            title=drawn.title,
            value=drawn.value,
            others=drawn.others,
            total=drawn.sum.total if drawn.sum else "",
        )
    )
    whole.y += 8
    half = (width + MARGIN) // 2  # the margins between the two are one
    _side_by_side(whole, [_side(side, half) for side in drawn.sides])
    if drawn.sum and drawn.sum.lists:
        whole.y += 8
        _side_by_side(whole, [_pair_list(name, pairs[:PAIRS], drawn.sum, half) for name, pairs in drawn.sum.lists])
        whole.soft(drawn.sum.about_pairs.replace("−", "–"))  # not every font has a minus sign
    if drawn.verdict:
        whole.note(drawn.verdict.replace("`", "'"), DOUBT if drawn.is_doubtful else CALM)
    whole.soft(drawn.account)
    about = f"{drawn.verdict} {' / '.join(side.text[:250] for side in drawn.sides)}"
    title = f"{drawn.title} {drawn.value}"
    return svg.drawing(width, whole.y + MARGIN, title=title, about=about, body="\n".join(whole.drawn))


def _side_by_side(whole: Drawer, parts: Sequence[Drawer]) -> None:
    """Draw parts of the same width beside each other."""
    top = whole.y - MARGIN
    for i, part in enumerate(parts):
        left = i * (part.width - MARGIN)
        whole.drawn.append(f'<g transform="translate({left} {top:.1f})">\n' + "\n".join(part.drawn) + "\n</g>")
    whole.y = top + max(part.y for part in parts)


def _pair_list(name: str, pairs: Sequence[Pair], whole: SumView, width: int) -> Drawer:
    """Return pairs of words, each with a bar and its number."""
    drawer = Drawer(width)
    drawer.y += 20
    drawer.drawn.append(svg.text(name, MARGIN, drawer.y, size=15, more='font-weight="700"'))
    drawer.y += 6
    words, bars = drawer.inner * 0.5, drawer.inner * 0.5 - NUMBER - 12
    for pair in pairs:
        drawer.y += BAR
        named = fitted(f"{pair.words[0]} ~ {pair.words[1]}", words / 14)
        drawer.drawn.append(svg.text(named, MARGIN, drawer.y - 6, size=14))
        colour = svg.shade_colour(1.0 if pair.part > 0 else -1.0, is_signed=True)
        long = max(2.0, bars * abs(pair.part) / whole.largest)
        drawer.drawn.append(svg.box(MARGIN + words + 12, drawer.y - 17, long, 14, colour, round_by=2))
        value = number(pair.part, digits=2, plus=True).replace("−", "–")  # not every font has a minus sign
        drawer.drawn.append(svg.text(value, width - MARGIN, drawer.y - 6, size=14, more='text-anchor="end"'))
    return drawer


def _side(drawn: HeatmapView, width: int) -> Drawer:
    """Return one text, drawn by itself: its first two rows, of contributions, weights and effects."""
    drawer = Drawer(width)
    drawer.heading(drawn)
    for line in drawn.remarks:
        drawer.note(line, DOUBT)
    for line in drawn.notes:
        drawer.soft(line)
    placed = layout(drawn, width=(width - 2 * MARGIN) / SIZE, most=MOST_LINES)
    for row in drawn.rows[:2]:
        drawer.caption(row)
        drawer.lines(row, placed)
    return drawer
