"""Metrics in a notebook: a table, every label escaped."""

from __future__ import annotations

from markupsafe import Markup

from heedful.metrics.printed import MetricsTable
from heedful.show.metrics.view import view


def metrics_fragment(table: MetricsTable) -> str:
    """Return a line for all, and a table with a row for each label."""
    drawn = view(table)
    head = Markup("<p>{}</p>").format(drawn.headline)
    if not drawn.rows:
        return str(head)
    rows = Markup("").join(_row(row, "td") for row in drawn.rows)
    return str(
        Markup("{}<table><thead>{}</thead><tbody>{}</tbody></table>").format(head, _row(drawn.columns, "th"), rows)
    )


def _row(cells: tuple[str, ...], tag: str) -> Markup:
    opening = Markup('<{} style="text-align:{}">')
    made = [
        opening.format(Markup(tag), "right" if i else "left") + cell + Markup("</{}>").format(Markup(tag))
        for i, cell in enumerate(cells)
    ]
    return Markup("<tr>{}</tr>").format(Markup("").join(made))
