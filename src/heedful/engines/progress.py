"""How far a run has come, told after each part."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from heedful.engines.output import Counted


@dataclass(frozen=True)
class Progress:
    """How far a run has come."""

    parts: int
    of_parts: int
    rows: int  # of this run, bad ones too
    seconds: float
    left: float | None  # seconds, where they can be told


class Clock:
    """Tells how far it is, after each part."""

    def __init__(
        self, of_parts: int, before: int, rows: Mapping[str, int | None], told: Callable[[Progress], None]
    ) -> None:
        self._of_parts, self._parts, self._left, self._told = of_parts, before, dict(rows), told
        self._started, self._rows, self._ticks = time.monotonic(), 0, 0
        self._first = (self._started, 0)  # when the first part was done, and its rows: workers take a while to start
        told(Progress(before, of_parts, 0, 0.0, None))

    def tick(self, counted: Counted) -> None:
        """Take a part that is done."""
        self._left.pop(counted.name, None)
        self._parts += counted.failed is None
        self._rows, self._ticks = self._rows + counted.rows + counted.bad, self._ticks + 1
        now = time.monotonic()
        if self._ticks == 1:
            self._first = (now, self._rows)
        self._told(Progress(self._parts, self._of_parts, self._rows, now - self._started, self._seconds_left(now)))

    def _seconds_left(self, now: float) -> float | None:
        """Return how long the rest takes: by its rows where they are known, or else by its parts."""
        seconds, rows = now - self._first[0], self._rows - self._first[1]
        if self._ticks < 2 or not rows:
            return None
        known = [n for n in self._left.values() if n is not None]
        if len(known) == len(self._left):
            return seconds / rows * sum(known)
        return seconds / (self._ticks - 1) * len(self._left)
