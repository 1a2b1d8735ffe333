"""Work that nobody waits for any more ends between two batches."""

from __future__ import annotations

from contextvars import ContextVar
from threading import Event

STOP: ContextVar[Event | None] = ContextVar("stop", default=None)


class Stopped(Exception):  # noqa: N818  nothing is wrong
    """The one who asked is gone."""


def check_wanted() -> None:
    """Raise where the one who asked for the work under way is gone."""
    stop = STOP.get()
    if stop is not None and stop.is_set():
        raise Stopped
