"""A heatmap in words, for readers who cannot see the picture."""

from __future__ import annotations

import numpy as np

from heedful.show.heatmaps.view import HeatmapView
from heedful.show.kit.text.numbers import number

TOP, SMALLEST = 3, 0.005  # parts that are named, and what would be shown as 0


def description(drawn: HeatmapView, *, measure: str = "") -> str:
    """Return the strongest parts of the first row, each with its number, the sum and the verdict.

    `measure` follows the name of a part: " s" if it is a time.
    """
    row = drawn.rows[0]
    values = np.nan_to_num(row.values)
    order = np.argsort(-np.abs(values), kind="stable")[:TOP]
    parts = [
        f"{drawn.words[i].text}{measure} ({number(float(values[i]), digits=2, plus=row.is_signed)})"
        for i in order
        if abs(values[i]) >= SMALLEST
    ]
    name = f"{row.name} for {row.target}" if row.target else row.name
    strongest = f"{name}, strongest at {', '.join(parts)}." if parts else f"{name}."
    total = f"{drawn.total}." if drawn.total else ""
    return " ".join(filter(None, (strongest, total, drawn.verdict)))
