"""The rows of a table of metrics that are shown."""

from __future__ import annotations

from heedful.metrics.printed import MetricsTable
from heedful.show.kit.text.sanitise import one_line
from heedful.show.kit.text.truncate import shortened

MOST_ROWS = 10  # with the line for all and the header, 12 lines
LONGEST = 40  # characters of a label


def view(table: MetricsTable) -> MetricsTable:
    """Return a table of at most MOST_ROWS rows, whose labels are one short line each."""
    rows = [(shortened(one_line(name), LONGEST), *cells) for name, *cells in table.rows]
    if len(rows) > MOST_ROWS:
        rest = len(rows) - MOST_ROWS + 1
        rows = [*rows[: MOST_ROWS - 1], (f"… and {rest:,} more", *[""] * (len(table.columns) - 1))]
    return MetricsTable(one_line_of(table.headline), table.columns, tuple(rows))


def one_line_of(headline: str) -> str:
    """Return a headline whose gaps of three spaces stay."""
    return "   ".join(one_line(part) for part in headline.split("   "))
