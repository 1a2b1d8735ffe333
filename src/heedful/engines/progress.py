"""Progress of a run, reported after each part."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from heedful.engines.output import PartResult


@dataclass(frozen=True)
class Progress:
    """Progress of a run."""

    parts: int
    of_parts: int
    rows: int  # of this run, rejected ones included
    seconds: float
    left: float | None  # estimated seconds left, if known


class ProgressClock:
    """Measures and reports progress after each part."""

    def __init__(
        self, of_parts: int, parts_before: int, rows: Mapping[str, int | None], on_progress: Callable[[Progress], None]
    ) -> None:
        self._of_parts, self._parts, self._left, self._on_progress = of_parts, parts_before, dict(rows), on_progress
        self._started, self._rows, self._ticks = time.monotonic(), 0, 0
        self._first = (self._started, 0)  # time and rows of the first finished part: excludes the start of the workers
        on_progress(Progress(parts_before, of_parts, 0, 0.0, None))

    def tick(self, result: PartResult) -> None:
        """Record a finished part."""
        self._left.pop(result.name, None)
        self._parts += result.failed is None
        self._rows, self._ticks = self._rows + result.rows + result.bad, self._ticks + 1
        now = time.monotonic()
        if self._ticks == 1:
            self._first = (now, self._rows)
        self._on_progress(
            Progress(self._parts, self._of_parts, self._rows, now - self._started, self._seconds_left(now))
        )

    def _seconds_left(self, now: float) -> float | None:
        """Estimate the time left from the remaining rows if known, else from the remaining parts."""
        seconds, rows = now - self._first[0], self._rows - self._first[1]
        if self._ticks < 2 or not rows:
            return None
        known = [n for n in self._left.values() if n is not None]
        if len(known) == len(self._left):
            return seconds / rows * sum(known)
        return seconds / (self._ticks - 1) * len(self._left)
