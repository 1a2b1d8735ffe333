"""An explanation as an SVG picture that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Explanation
from heedful.show.heatmaps.view import ACCOUNT, ATTENTION_ONLY, HeatmapView, Row, view
from heedful.show.heatmaps.waterfall import BIAS, TOTAL, Bar, Waterfall
from heedful.show.kit.svg import svg
from heedful.show.kit.svg.shades import FAINT
from heedful.show.kit.text.lines import Layout, Placed, layout
from heedful.show.kit.text.text_width import BOLD, advance, fitted, wrapped

if TYPE_CHECKING:
    from heedful.show.heatmaps.api import Heatmap

MARGIN, SIZE, LINE = 24, 16, 29
BAR, NUMBER = 22, 64  # the height of a line of a waterfall, and the room for its number
INK_OF = {BIAS: "#9aa3ad", TOTAL: svg.INK}
PAD = 1.5  # of a box around its word
MOST_LINES = 12  # of the text
NARROWEST = 240
MOST_WIDE = 10_000
SAFE = 0.95  # of the room is filled by sentences: a font may be wider than we think
CALM, DOUBT = ("#1d4a5c", "#e9f4f8", "#3f8ba6"), ("#6b4200", "#fff4dd", "#d98e00")  # ink, ground, edge


def picture(explanation: Explanation, *, width: int = 760) -> str:
    """Return the contributions, the attention below them, and the verdict."""
    return view_picture(view(explanation), width=width)


def heatmap_picture(heatmap: Heatmap, *, width: int = 760) -> str:
    """Return a picture of a heatmap of anyone's words."""
    return view_picture(heatmap.view, width=width)


def view_picture(drawn: HeatmapView, *, width: int = 760) -> str:
    """Return a picture of a view: its first two rows."""
    if not NARROWEST <= width <= MOST_WIDE:
        raise HeedfulError(f"width is {width}, a picture is from {NARROWEST} to {MOST_WIDE} wide")
    rows = drawn.rows[:2]
    placed = layout(drawn, width=(width - 2 * MARGIN) / SIZE, most=MOST_LINES)
    drawer = Drawer(width)
    drawer.heading(replace(drawn, total="") if drawn.waterfall else drawn)
    for line in drawn.remarks:
        drawer.note(line, DOUBT)
    for line in drawn.notes:
        drawer.soft(line)
    for row in rows:
        drawer.caption(row)
        drawer.lines(row, placed)
        if row is rows[0] and drawn.waterfall:
            drawer.waterfall(drawn.waterfall)
    if drawn.verdict:
        drawer.note(drawn.verdict.replace("`", "'"), DOUBT if drawn.is_doubtful else CALM)
    drawer.soft(_account(drawn, rows))
    about = f"{drawn.verdict} {drawn.text[:500]}"
    title = f"{drawn.title} {drawn.value}".strip() or rows[0].name
    return svg.drawing(width, drawer.y + MARGIN, title=title, about=about, body="\n".join(drawer.drawn))


def _account(drawn: HeatmapView, rows: Sequence[Row]) -> str:
    return drawn.account or (ACCOUNT if any(row.is_signed for row in rows) else ATTENTION_ONLY)


class Drawer:
    """Draws one thing below the other; `y` is where the last one ends."""

    def __init__(self, width: int) -> None:
        self.width, self.inner = width, width - 2 * MARGIN
        self.y = float(MARGIN)
        self.drawn: list[str] = []

    def heading(self, drawn: HeatmapView) -> None:
        """Draw the answer, its probability, and the next labels."""
        if drawn.title:
            self.y += 20
            title = fitted(drawn.title, (self.inner - 60) / (20 * BOLD))
            wide = advance(title) * 20 * BOLD
            bold = 'font-weight="700"'
            self.drawn.append(svg.text(title, MARGIN, self.y, size=20, length=wide, more=bold))
            self.drawn.append(svg.text(drawn.value, MARGIN + wide + 10, self.y, size=18))
        if drawn.others:
            self.y += 22
            others = fitted(drawn.others, self.inner / 13)
            self.drawn.append(svg.text(others, MARGIN, self.y, size=13, more=f'fill="{svg.SOFT}"'))
        if drawn.total:
            self.y += 4
            for line in _sum_lines(drawn.total.replace("−", "–"), self.inner / 13 * SAFE):  # not every font has a minus
                self.y += 18
                self.drawn.append(svg.text(line, MARGIN, self.y, size=13))
        self.y += 10

    def caption(self, row: Row) -> None:
        """Draw the name of a row, what its numbers are, and the scale."""
        self.y += 28
        name = f"{row.name} for {row.target}" if row.target else row.name
        room = self.inner - 150 if self.inner > 400 else self.inner
        bold = 'font-weight="700"'
        self.drawn.append(svg.text(fitted(name, room / (15 * BOLD)), MARGIN, self.y, size=15, more=bold))
        if room == self.inner:
            self.y += 20
        self.drawn.append(svg.legend(self.width - MARGIN, self.y, is_signed=row.is_signed, ends=row.ends))
        self._small([row.about, row.aside])
        self.y += 8
        self.drawn.append(f'<path d="M{MARGIN} {self.y:.1f}H{self.width - MARGIN}" stroke="{svg.LINE}"/>')
        self.y += 4

    def lines(self, row: Row, placed: Layout) -> None:
        """Draw the text with this row's shades."""
        for line in placed.lines:
            self.y += LINE
            baseline = self.y - 8
            self.drawn.append("".join(_ground(row, each, baseline) for each in line))
            self.drawn.append("".join(_word(each, baseline) for each in line if not each.atom.is_space))
        if placed.left_out:
            self._small([f"… and {placed.left_out:,} more words"])
        if not placed.lines:
            self._small(["(nothing to show)"])
        self.y += 6

    def waterfall(self, fall: Waterfall) -> None:
        """Draw a score as a sum: a bar for each part, which starts where the one before it ends."""
        self.y += 28
        title = f"Score of {fall.label}" if fall.result else fall.label
        bold = 'font-weight="700"'
        self.drawn.append(svg.text(fitted(title, self.inner / (15 * BOLD)), MARGIN, self.y, size=15, more=bold))
        self._small([fall.about.replace(" → ", ", then ")])  # few fonts have the arrow
        self.y += 8
        names = [f"{bar.name} × {bar.times}" if bar.times > 1 else bar.name for bar in fall.bars]
        longest = min(self.inner * 0.4 / (14 * BOLD), max(map(advance, names)))  # in em, or rounding would cut a name
        room = longest * 14 * BOLD
        left, wide = MARGIN + room + 12, self.inner - room - 12 - NUMBER
        if fall.zero is not None:
            x, bottom = left + wide * fall.zero / 100, self.y + BAR * len(fall.bars)
            self.drawn.append(f'<path d="M{x:.1f} {self.y:.1f}V{bottom:.1f}" stroke="{svg.LINE}"/>')
        for name, bar in zip(names, fall.bars, strict=True):
            more = bold if bar.kind == TOTAL else ""
            self.y += BAR
            self.drawn.append(svg.text(fitted(name, longest), MARGIN, self.y - 6, size=14, more=more))
            self.drawn.append(_step(bar, left, wide, self.y - 17))
            end = f'text-anchor="end" {more}'.strip()
            value = bar.number.replace("−", "–")  # not every font has a minus sign
            self.drawn.append(svg.text(value, self.width - MARGIN, self.y - 6, size=14, more=end))
        if fall.result:
            self.y += 20
            self.drawn.append(svg.text(fall.result, MARGIN, self.y, size=14, more=bold))
        self._small([fall.account])
        self.y += 6

    def note(self, sentence: str, colours: tuple[str, str, str]) -> None:
        """Draw a sentence in a box."""
        ink, ground, edge = colours
        lines = wrapped(sentence, (self.inner - 28) / 13 * SAFE)
        self.y += 8
        high = 18 * len(lines) + 12
        self.drawn.append(svg.box(MARGIN, self.y, self.inner, high, ground))
        self.drawn.append(svg.box(MARGIN, self.y, 4, high, edge, round_by=2))
        self.drawn += [
            svg.text(line, MARGIN + 14, self.y + 20 + 18 * i, size=13, more=f'fill="{ink}"')
            for i, line in enumerate(lines)
        ]
        self.y += high

    def soft(self, sentence: str) -> None:
        """Draw a sentence in small letters."""
        self.y += 6
        self._small([sentence])

    def _small(self, sentences: Sequence[str]) -> None:
        for line in [line for sentence in sentences if sentence for line in wrapped(sentence, self.inner / 13 * SAFE)]:
            self.y += 18
            self.drawn.append(svg.text(line, MARGIN, self.y, size=13, more=f'fill="{svg.SOFT}"'))


def _sum_lines(total: str, room: float) -> list[str]:
    """Return a sum on one line or, if that is too narrow, with its right side on lines of its own."""
    score, _, parts = total.rpartition(" = ")
    if advance(total) <= room or not score:
        return wrapped(total, room)
    return [*wrapped(score, room), *wrapped(f"= {parts}", room)]


def _step(bar: Bar, left: float, wide: float, y: float) -> str:
    colour = INK_OF.get(bar.kind) or svg.shade_colour(1.0 if bar.value > 0 else -1.0, is_signed=True)
    x, width = left + wide * bar.left / 100, max(2.0, wide * bar.width / 100)
    edge = svg.box(x, y + 12, width, 2, svg.EDGE, round_by=1) if bar.sign == "against" else ""
    return svg.box(x, y, width, 14, colour, round_by=2) + edge


def _ground(row: Row, each: Placed, baseline: float) -> str:
    shade = float(row.shades[each.atom.word]) if each.atom.word is not None else 0.0
    if abs(shade) < FAINT:
        return ""
    x, wide = MARGIN + each.x * SIZE - PAD, each.atom.width * SIZE + 2 * PAD
    ground = svg.box(x, baseline - 17, wide, 23, svg.shade_colour(shade, is_signed=row.is_signed))
    return ground + (svg.box(x, baseline + 4, wide, 2, svg.EDGE, round_by=1) if shade < 0 else "")


def _word(each: Placed, baseline: float) -> str:
    return svg.text(each.shown, MARGIN + each.x * SIZE, baseline, length=each.atom.width * SIZE)
