"""The learning curve as inline SVG. Colours are classes of style.css, so light and dark both work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log2

from heedful.explain.check.learning_curve import CurvePoint, LearningCurve
from heedful.show.kit.html.document import escape
from heedful.show.kit.text.numbers import percent

WIDTH, HEIGHT = 360, 230
LEFT, RIGHT, TOP, BOTTOM, ROOM = 46, 348, 12, 180, 20
STEPS, MOST_MARKS = (0.01, 0.02, 0.05, 0.1, 0.2), 6


@dataclass(frozen=True)
class Axes:
    """From rows and accuracy to places in the plot. Each step to the right is twice as many rows."""

    first: float  # log of the fewest rows
    last: float
    low: float  # accuracy
    high: float
    step: float  # between marks

    @classmethod
    def of(cls, points: Sequence[CurvePoint]) -> Axes:
        """Return axes with room for all points and their intervals."""
        low, high = min(point.low for point in points), max(point.high for point in points)
        step = next((step for step in STEPS if (high - low) / step <= MOST_MARKS - 1), STEPS[-1])
        sizes = [log2(point.n) for point in points]
        ends = max(0.0, floor(low / step + 1e-6) * step), min(1.0, ceil(high / step - 1e-6) * step)
        return cls(min(sizes), max(*sizes, min(sizes) + 1), ends[0], max(ends[1], ends[0] + step), step)

    def x(self, point: CurvePoint) -> float:
        """Return the place of a number of rows."""
        return LEFT + ROOM + (log2(point.n) - self.first) / (self.last - self.first) * (RIGHT - LEFT - 2 * ROOM)

    def y(self, accuracy: float) -> float:
        """Return the place of an accuracy."""
        return BOTTOM - (accuracy - self.low) / (self.high - self.low) * (BOTTOM - TOP)

    def marks(self) -> str:
        """Return a line and a number for each mark of accuracy."""
        values = [self.low + i * self.step for i in range(round((self.high - self.low) / self.step) + 1)]
        return "".join(
            f'<path class="mark" d="M{LEFT} {self.y(value):.1f}H{RIGHT}"/>'
            + _text(LEFT - 6, self.y(value) + 4.5, percent(value), "end")
            for value in values
        )

    def path(self, points: Sequence[CurvePoint]) -> str:
        """Return a line through points."""
        return "M" + "L".join(f"{self.x(point):.1f} {self.y(point.accuracy):.1f}" for point in points)

    def dot(self, point: CurvePoint, kinds: str) -> str:
        """Return a dot on its interval."""
        x, low, high = self.x(point), self.y(point.low), self.y(point.high)
        whisker = f'<path class="whisker" d="M{x:.1f} {low:.1f}V{high:.1f}m-4 0h8M{x - 4:.1f} {low:.1f}h8"/>'
        return f'{whisker}<circle class="{kinds}" cx="{x:.1f}" cy="{self.y(point.accuracy):.1f}" r="4.5"/>'


def curve_plot(curve: LearningCurve) -> str:
    """Return dots with intervals over the number of rows, those ahead hollow."""
    points = (*curve.points, *curve.ahead)
    axes = Axes.of(points)
    dots = "".join(axes.dot(point, "dot") for point in curve.points)
    dots += "".join(axes.dot(point, "dot hollow") for point in curve.ahead)
    below = "".join(_text(axes.x(point), BOTTOM + 18, short_count(point.n), "middle") for point in points)
    below += _text((LEFT + RIGHT) / 2, BOTTOM + 38, "rows to learn from", "middle soft")
    about = "; ".join(f"{point.n:,} rows: {percent(point.accuracy, digits=1)}" for point in points)
    lines = f'<path class="line" d="{axes.path(curve.points)}"/>'
    lines += f'<path class="line dashed" d="{axes.path((curve.points[-1], *curve.ahead))}"/>'
    return (
        f'<svg class="plot" role="img" viewBox="0 0 {WIDTH} {HEIGHT}"><title>Accuracy by number of rows</title>'
        f"<desc>{escape(about)}</desc>{axes.marks()}{lines}{dots}{below}</svg>"
    )


def short_count(n: int) -> str:
    """Return a number of rows that takes little room."""
    if n < 10_000:
        return f"{n:,}"
    return f"{n / 1e3:,.0f}k" if n < 1_000_000 else f"{n / 1e6:,.1f}m"


def _text(x: float, y: float, content: str, kinds: str) -> str:
    return f'<text class="{kinds}" x="{x:.1f}" y="{y:.1f}">{escape(content)}</text>'
