"""Metrics in a notebook: a table, every label escaped."""

from __future__ import annotations

from heedful.metrics.printed import MetricsTable
from heedful.show.kit.html.templates import render
from heedful.show.metrics.view import view


def metrics_fragment(table: MetricsTable) -> str:
    """Return a line for all, and a table with a row for each label, in the style of the notebook."""
    return str(render("show/metrics/page.html", view=view(table)))
