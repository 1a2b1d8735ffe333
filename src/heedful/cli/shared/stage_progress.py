"""Progress of work with several stages: a live bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time

from rich.progress import BarColumn, TaskID, TextColumn

from heedful.cli.shared.console import has_live_bars, note
from heedful.cli.shared.progress import EVERY, _Bar, duration, is_watched, live_bar

__all__ = ["StageProgress", "is_watched"]


class StageProgress(_Bar):
    """Shows the stage, how much of it is done, and the time left where it is known."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._live = has_live_bars() and not quiet
        self._bar = live_bar(
            TextColumn("{task.description}"), BarColumn(bar_width=24), TextColumn("{task.fields[state]}")
        )
        self._task: TaskID = self._bar.add_task("reading", total=None, state="")
        self._stage = ""
        self._start = self._reported = time.monotonic()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Take how much of a stage is done; a total of 0 is not known."""
        if stage != self._stage:
            self._stage, self._start = stage, time.monotonic()
        state = self._state(done, total)
        if self._live:
            share = done / total if total else None
            self._bar.update(self._task, description=stage, total=1.0 if total else None, completed=share, state=state)
        elif time.monotonic() - self._reported > EVERY and not self._quiet:
            self._reported = time.monotonic()
            note(f"{stage}  {state}".rstrip())

    def _state(self, done: int, total: int) -> str:
        if not total:
            return f"{done:,}" if done else ""
        left = (time.monotonic() - self._start) / max(1, done) * (total - done)
        return f"{done:,} of {total:,}  about {duration(left)} left"
