"""Work that nobody waits for any more ends between two batches, and long work lets others have their turn."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from threading import Event

STOP: ContextVar[Event | None] = ContextVar("stop", default=None)
TURN: ContextVar[Callable[[], None] | None] = ContextVar("turn", default=None)  # may wait until others had theirs


class Stopped(Exception):  # noqa: N818  nothing is wrong
    """The one who asked is gone."""


def check_wanted() -> None:
    """Raise where the one who asked for the work under way is gone; wait where it is the turn of others."""
    stop = STOP.get()
    if stop is not None and stop.is_set():
        raise Stopped
    turn = TURN.get()
    if turn is not None:
        turn()
