"""Plots as inline SVG, each with its numbers in a table. Colours are classes of audit.css, so light and dark both work.

All are drawn 360 wide and never shown much larger: on a phone their letters can still be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from heedful.metrics.bootstrap import Interval
from heedful.show.kit.html.document import escape
from heedful.show.kit.text.numbers import number, short

WIDTH = 360
LEFT, RIGHT = 1, WIDTH - 12  # of bars, which have their names above them
INNER = 40  # left end of plots with numbers on the left
ROW, AXIS = 38, 24  # height of a bar with its name, and of the numbers under a plot
TALL = 190  # of lines and columns
WIDEST = 44  # of a column or a cell
ROOMY = 12  # columns or cells of which each has its number beside it
SEEN = 8  # cells in a row that have room for their number
SHAPES = (  # a marker for each kind, so that colour is never the only difference
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
    "M-3.5-3.5h7v7h-7z",
    "M0-4.5L4.5 3.5H-4.5z",
    "M0-5L4.5 0L0 5L-4.5 0z",
    "M-3.5-3.5L3.5 3.5M3.5-3.5L-3.5 3.5",
    "M0-4.5L4.5 0L0 4.5L-4.5 0z",
)


@dataclass(frozen=True)
class Row:
    """A named value; `kind` is its colour and marker."""

    name: str
    value: Interval
    kind: int = 0


@dataclass(frozen=True)
class Line:
    """A named value for each place on the axis."""

    name: str
    values: tuple[float, ...]
    kind: int = 0


@dataclass(frozen=True)
class Scale:
    """From values to places in the plot, with round numbers at its marks."""

    low: float
    high: float
    start: float
    end: float
    marks: tuple[float, ...]

    def at(self, value: float) -> float:
        """Return where a value lies."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def scale(values: Iterable[float], start: float, end: float, *, low: float = 0.0, high: float = 0.0) -> Scale:
    """Return a scale over all values, 0, and what else is asked for."""
    points = [0.0, low, high, *filter(isfinite, values)]
    step = _step(max(points) - min(points))
    first = floor(min(points) / step + 1e-9)
    last = max(first + 1, ceil(max(points) / step - 1e-9))
    # What reaches a little past a mark gets room for itself, and not for a whole step.
    first += last - first > 1 and min(points) > (first + 0.5) * step
    last -= last - first > 1 and max(points) < (last - 0.5) * step
    ends = min(first * step, min(points)), max(last * step, max(points))
    return Scale(*ends, start, end, tuple(i * step for i in range(first, last + 1)))


def span(value: Interval) -> str:
    """Return a mean, and its interval where it has one."""
    if not isfinite(value.mean):
        return "not defined"
    if value.low == value.high:
        return short(value.mean)
    return f"{short(value.mean)} [{short(value.low)}, {short(value.high)}]"


def bars(title: str, rows: Sequence[Row], *, low: float = 0.0, high: float = 0.0, dots: bool = False) -> str:
    """Return a bar (or a dot) for each row, with a thin line over its interval."""
    values = [x for row in rows for x in (row.value.mean, row.value.low, row.value.high)]
    across = scale(values, LEFT, RIGHT, low=low, high=high)
    bottom = ROW * len(rows) + 2
    drawn = "".join(_bar(row, across, ROW * i, dots=dots) for i, row in enumerate(rows))
    description = "; ".join(f"{row.name}: {span(row.value)}" for row in rows)
    svg = _svg(title, description, bottom + AXIS, _marks_below(across, len(rows), bottom) + drawn)
    numbers = [(row.name, *map(_exact, (row.value.mean, row.value.low, row.value.high))) for row in rows]
    return _figure(title, svg, ("name", "mean", "95 % from", "to"), numbers)


def lines(title: str, series: Sequence[Line], places: Sequence[float], *, below: str) -> str:
    """Return a line for each series over places on the axis below, whose name is `below`."""
    up = scale((x for line in series for x in line.values), TALL, 8)
    across = Scale(0.0, max(places), INNER, RIGHT - 4, tuple(places))
    names = "".join(_key(line, i, TALL + AXIS + 34) for i, line in enumerate(series))
    axis = "".join(_text(across.at(p), TALL + 17, f"{p:g}", "middle") for p in places)
    axis += _text((INNER + RIGHT) / 2, TALL + 36, below, "middle soft")
    drawn = "".join(_line(line, places, across, up) for line in series)
    description = "; ".join(f"{line.name}: {', '.join(map(short, line.values))}" for line in series)
    height = TALL + AXIS + 26 + 20 * ceil(len(series) / 2)
    svg = _svg(
        title,
        f"At {', '.join(f'{p:g}' for p in places)}. {description}",
        height,
        _marks_left(up) + axis + drawn + names,
    )
    numbers = [(line.name, *map(_exact, line.values)) for line in series]
    return _figure(title, svg, (below, *(f"{p:g}" for p in places)), numbers)


def columns(title: str, values: Sequence[float], *, below: str, high: float = 1.0) -> str:
    """Return an upright bar for each value, numbered from 1; `below` is what is numbered."""
    up = scale(values, TALL, 8, high=high)
    step = min(WIDEST, (RIGHT - INNER) / max(1, len(values)))
    drawn = "".join(_column(i, value, step, up) for i, value in enumerate(values))
    axis = "".join(_text(INNER + (i + 0.5) * step, TALL + 17, str(i + 1), "middle") for i in _numbered(len(values)))
    middle = INNER + len(values) * step / 2
    axis += _text(max(middle, INNER + 20), TALL + 36, below, "middle soft")
    description = f"{below} 1 to {len(values)}: {', '.join(map(short, values))}"
    svg = _svg(title, description, TALL + AXIS + 18, _marks_left(up) + drawn + axis)
    return _figure(title, svg, (below, "value"), [(str(i + 1), _exact(x)) for i, x in enumerate(values)])


def matrix(title: str, values: Sequence[Sequence[float]], *, of: str) -> str:
    """Return a square of cells, darker for values nearer 1; `of` is what its sides number."""
    n = len(values)
    size = min(WIDEST, (RIGHT - INNER) / max(1, n))
    cells = "".join(_cell(i, j, x, size, n, of) for i, row in enumerate(values) for j, x in enumerate(row))
    bottom = 8 + n * size
    beside = "".join(_text(INNER - 6, 12.5 + (i + 0.5) * size, str(i + 1), "end") for i in _numbered(n))
    below = "".join(_text(INNER + (i + 0.5) * size, bottom + 17, str(i + 1), "middle") for i in _numbered(n))
    below += _text(INNER + n * size / 2, bottom + 36, of, "middle soft")
    others = [x for i, row in enumerate(values) for j, x in enumerate(row) if i != j and isfinite(x)]
    between = f" Two different ones: from {short(min(others))} to {short(max(others))}." if others else ""
    svg = _svg(title, f"A square of {n} by {n} cells.{between}", bottom + AXIS + 18, cells + beside + below)
    numbers = [(str(i + 1), *(short(x) for x in row)) for i, row in enumerate(values)]
    return _figure(title, svg, (of, *(str(i + 1) for i in range(n))), numbers)


def _step(width: float) -> float:
    """Return 1, 2 or 5 times a power of ten, so that a width has three to six marks; without a width, of 1."""
    rough = (width if width > 1e-9 else 1.0) / 4
    power = 10.0 ** floor(log10(rough))
    return power * next(m for m in (1, 2, 5, 10) if rough <= m * power * 1.0001)


def _numbered(n: int) -> list[int]:
    """Return which of many to number: all, or the first and every fifth."""
    return [i for i in range(n) if n <= ROOMY or i == 0 or (i + 1) % 5 == 0]


def _bar(row: Row, across: Scale, top: float, *, dots: bool) -> str:
    labels = _text(LEFT, top + 15, row.name, "name") + _text(RIGHT, top + 15, span(row.value), "end")
    value = row.value
    if not isfinite(value.mean):
        return labels
    middle, whisker = top + 28, _whisker(value, across, top + 28)
    if dots:
        return labels + whisker + _point(row.kind, across.at(value.mean), middle)
    zero, end = across.at(0), across.at(value.mean)
    place = f'x="{min(zero, end):.1f}" y="{middle - 6}" width="{max(abs(end - zero), 1):.1f}" height="12"'
    return f'{labels}<rect class="bar k{row.kind}" {place} rx="2"/>{whisker}'


def _whisker(value: Interval, across: Scale, middle: float) -> str:
    if not (isfinite(value.low) and isfinite(value.high)) or value.low == value.high:
        return ""
    low, high = across.at(value.low), across.at(value.high)
    path = f"M{low:.1f} {middle - 5.5:.1f}v11m0-5.5H{high:.1f}m0-5.5v11"
    return f'<path class="halo" d="{path}"/><path class="whisker" d="{path}"/>'


def _marks_below(across: Scale, rows: int, bottom: float) -> str:
    """Return the marks beside each bar and not through its name, and their numbers below all."""
    return "".join(
        f'<path class="{_mark(m)}" d="{"".join(f"M{across.at(m):.1f} {ROW * i + 20}v18" for i in range(rows))}"/>'
        + _text(across.at(m), bottom + 17, _round(m, across), _anchor(across.at(m)))
        for m in across.marks
    )


def _marks_left(up: Scale) -> str:
    return "".join(
        f'<path class="{_mark(m)}" d="M{INNER} {up.at(m):.1f}H{RIGHT}"/>'
        + _text(INNER - 6, up.at(m) + 4.5, _round(m, up), "end")
        for m in up.marks
    )


def _mark(value: float) -> str:
    return "zero" if abs(value) < 1e-9 else "mark"


def _anchor(x: float) -> str:
    """Return how to place a number so that it stays inside the plot."""
    return "" if x < LEFT + 10 else "end" if x > RIGHT - 6 else "middle"


def _round(value: float, over: Scale) -> str:
    step = over.marks[1] - over.marks[0]
    return number(value, digits=max(0, -floor(log10(step * 1.0001))))


def _line(line: Line, places: Sequence[float], across: Scale, up: Scale) -> str:
    at = [(across.at(p), up.at(v)) for p, v in zip(places, line.values, strict=True) if isfinite(v)]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in at)
    return (f'<path class="line k{line.kind}" d="M{path}"/>' if at else "") + "".join(
        _point(line.kind, x, y) for x, y in at
    )


def _key(line: Line, i: int, top: float) -> str:
    x, y = LEFT + (i % 2) * WIDTH / 2, top + 20 * (i // 2)
    stroke = f'<path class="line k{line.kind}" d="M{x:.0f} {y - 4.5:.1f}h26"/>'
    return stroke + _point(line.kind, x + 13, y - 4.5) + _text(x + 34, y, line.name, "")


def _point(kind: int, x: float, y: float) -> str:
    return f'<path class="point k{kind}" transform="translate({x:.1f} {y:.1f})" d="{SHAPES[kind]}"/>'


def _column(i: int, value: float, step: float, up: Scale) -> str:
    if not isfinite(value):
        return ""
    top, left = up.at(value), INNER + (i + 0.15) * step
    size = f'x="{left:.1f}" y="{top:.1f}" width="{step * 0.7:.1f}" height="{max(up.at(0) - top, 1):.1f}"'
    return f'<rect class="bar k0" {size}><title>{i + 1}: {short(value)}</title></rect>'


def _cell(i: int, j: int, value: float, size: float, n: int, of: str) -> str:
    x, y = INNER + j * size, 8 + i * size
    shade = min(1.0, max(0.0, value)) if isfinite(value) else 0.0
    side = f"{size - (1 if n <= 40 else 0):.2f}"
    place = f'x="{x:.2f}" y="{y:.2f}" width="{side}" height="{side}"'
    name = f"{escape(of)} {i + 1} and {j + 1}: {short(value)}"
    has_number = n <= SEEN  # such cells are paler, so that their number can be read
    kinds = "cell numbered" if has_number else "cell"
    cell = f'<rect class="{kinds}" {place} style="--w:{shade:.2f}"><title>{name}</title></rect>'
    return cell + (_text(x + size / 2, y + size / 2 + 4, short(value), "middle inside") if has_number else "")


def _text(x: float, y: float, content: str, kinds: str) -> str:
    return f'<text class="{kinds}" x="{x:.1f}" y="{y:.1f}">{escape(content)}</text>'


def _svg(title: str, description: str, height: float, inside: str) -> str:
    return (
        f'<svg class="plot" role="img" viewBox="0 0 {WIDTH} {height:.0f}">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{inside}</svg>"
    )


def _figure(title: str, svg: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    names = "".join(f'<th scope="col"{_right(i)}>{escape(name)}</th>' for i, name in enumerate(head))
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f'<td class="n">{escape(x)}</td>' for x in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        f'<figure class="chart"><figcaption>{escape(title)}</figcaption>{svg}'
        "<details><summary>As numbers</summary>"
        f'<div class="scroll" tabindex="0" role="region" aria-label="numbers of: {escape(title)}">'
        f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table></div></details></figure>"
    )


def _right(column: int) -> str:
    return ' class="n"' if column else ""


def _exact(value: float) -> str:
    return number(value, digits=3)
