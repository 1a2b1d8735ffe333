"""The learning curve as inline SVG. Colours are classes of style.css, so light and dark both work."""

from __future__ import annotations

from math import log2

from heedful.explain.check.learning_curve import CurvePoint, LearningCurve
from heedful.show.kit.html.document import escape
from heedful.show.kit.text.numbers import percent

WIDTH, HEIGHT = 360, 230
LEFT, RIGHT, TOP, BOTTOM = 46, 348, 12, 180


def curve_plot(curve: LearningCurve) -> str:
    """Return dots with intervals over the number of rows, on a scale on which each step is twice as many."""
    points = (*curve.points, *curve.ahead)
    low, high, step = _ends(points)
    first, last = log2(points[0].n), max(log2(points[-1].n), log2(points[0].n) + 1)

    def x(point: CurvePoint) -> float:
        return LEFT + 18 + (log2(point.n) - first) / (last - first) * (RIGHT - LEFT - 40)

    def y(value: float) -> float:
        return BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP)

    marks, value = [], low
    while value <= high + 1e-9:
        marks.append(f'<path class="mark" d="M{LEFT} {y(value):.1f}H{RIGHT}"/>' + _text(LEFT - 6, y(value) + 4.5, percent(value), "end"))
        value += step
    line = "L".join(f"{x(point):.1f} {y(point.accuracy):.1f}" for point in curve.points)
    ahead = "L".join(f"{x(point):.1f} {y(point.accuracy):.1f}" for point in (curve.points[-1], *curve.ahead))
    drawn = "".join(
        f'<path class="whisker" d="M{x(p):.1f} {y(p.low):.1f}V{y(p.high):.1f}m-4 0h8M{x(p) - 4:.1f} {y(p.low):.1f}h8"/>'
        f'<circle class="{"dot" if p in curve.points else "dot hollow"}" cx="{x(p):.1f}" cy="{y(p.accuracy):.1f}" r="4.5"/>'
        for p in points
    )
    axis = "".join(_text(x(p), BOTTOM + 18, short_count(p.n), "middle") for p in points)
    axis += _text((LEFT + RIGHT) / 2, BOTTOM + 38, "rows to learn from", "middle soft")
    about = "; ".join(f"{p.n:,} rows: {percent(p.accuracy, digits=1)}" for p in points)
    lines = f'<path class="line" d="M{line}"/><path class="line dashed" d="M{ahead}"/>'
    return (
        f'<svg class="plot" role="img" viewBox="0 0 {WIDTH} {HEIGHT}"><title>Accuracy by number of rows</title>'
        f"<desc>{escape(about)}</desc>{''.join(marks)}{lines}{drawn}{axis}</svg>"
    )


def _ends(points: tuple[CurvePoint, ...]) -> tuple[float, float, float]:
    """Return the ends of the axis of accuracy, and the distance of its marks."""
    low, high = min(point.low for point in points), max(point.high for point in points)
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if (high - low) / step <= 6 or step == 0.5)
    return max(0.0, int(low / step) * step), min(1.0, -int(-high / step - 0.999999) * step), step


def short_count(n: int) -> str:
    """Return a number of rows that takes little room."""
    if n < 10_000:
        return f"{n:,}"
    return f"{n / 1e3:,.0f}k" if n < 1_000_000 else f"{n / 1e6:,.1f}m"


def _text(x: float, y: float, content: str, kinds: str) -> str:
    return f'<text class="{kinds}" x="{x:.1f}" y="{y:.1f}">{escape(content)}</text>'
