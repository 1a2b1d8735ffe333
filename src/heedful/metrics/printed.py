"""Metrics print as a short table, in Python and in a notebook."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MetricsTable:
    """Metrics as text: a line for all, and a row for each label."""

    headline: str
    columns: tuple[str, ...] = ()  # the first is the name of a row
    rows: tuple[tuple[str, ...], ...] = ()


class PrintedMetrics:
    """A mix-in for the metrics of a task. Their dataclasses have `repr=False`."""

    @property
    def table(self) -> MetricsTable:
        """The metrics as text."""
        raise NotImplementedError

    def __str__(self) -> str:
        from heedful.show.metrics.terminal import plain_metrics

        return plain_metrics(self.table)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from heedful.show.metrics.page import metrics_fragment

        return metrics_fragment(self.table)
