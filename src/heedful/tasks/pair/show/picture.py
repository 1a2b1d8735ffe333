"""Two texts as one SVG picture: the answer, and below it the texts side by side."""

from __future__ import annotations

from dataclasses import replace

from heedful.errors import HeedfulError
from heedful.show.heatmaps.picture import CALM, DOUBT, MARGIN, MOST_LINES, MOST_WIDE, NARROWEST, SIZE, Drawer
from heedful.show.heatmaps.view import HeatmapView
from heedful.show.kit.svg import svg
from heedful.show.kit.text.lines import layout
from heedful.tasks.pair.explanation import PairExplanation
from heedful.tasks.pair.show.view import view


def pair_picture(explanation: PairExplanation, *, width: int = 1000) -> str:
    """Return both heatmaps side by side, the effects below each, the answer above and the verdict under them."""
    if not 2 * NARROWEST <= width <= MOST_WIDE:
        raise HeedfulError(f"width is {width}, a picture of two texts is from {2 * NARROWEST} to {MOST_WIDE} wide")
    drawn = view(explanation)
    whole = Drawer(width)
    whole.heading(replace(drawn.sides[0], title=drawn.title, value=drawn.value, others=drawn.others))
    whole.y += 8
    half = (width + MARGIN) // 2  # the margins between the two are one
    sides = [_side(side, half) for side in drawn.sides]
    top = whole.y - MARGIN
    for i, side in enumerate(sides):
        left = i * (half - MARGIN)
        whole.drawn.append(f'<g transform="translate({left} {top:.1f})">\n' + "\n".join(side.drawn) + "\n</g>")
    whole.y = top + max(side.y for side in sides)
    if drawn.verdict:
        whole.note(drawn.verdict.replace("`", "'"), DOUBT if drawn.is_doubtful else CALM)
    whole.soft(drawn.account)
    about = f"{drawn.verdict} {' / '.join(side.text[:250] for side in drawn.sides)}"
    title = f"{drawn.title} {drawn.value}"
    return svg.drawing(width, whole.y + MARGIN, title=title, about=about, body="\n".join(whole.drawn))


def _side(drawn: HeatmapView, width: int) -> Drawer:
    """Return one text, drawn by itself: its weights, and the first row of effects."""
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
