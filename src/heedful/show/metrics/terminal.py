"""Metrics as plain text."""

from __future__ import annotations

from rich.cells import cell_len

from heedful.metrics.printed import MetricsTable
from heedful.show.metrics.view import view


def plain_metrics(table: MetricsTable) -> str:
    """Return a line for all, and a line for each label."""
    drawn = view(table)
    if not drawn.rows:
        return drawn.headline
    lines = [drawn.columns, *drawn.rows]
    widths = [max(cell_len(line[i]) for line in lines) for i in range(len(drawn.columns))]
    return "\n".join([drawn.headline, *(_line(line, widths) for line in lines)])


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    """Return a name on the left and numbers on the right of their columns."""
    gaps = [" " * (width - cell_len(cell)) for cell, width in zip(cells, widths, strict=True)]
    numbers = (f"{gap}{cell}" for cell, gap in zip(cells[1:], gaps[1:], strict=True))
    return "  ".join([f"{cells[0]}{gaps[0]}", *numbers]).rstrip()
