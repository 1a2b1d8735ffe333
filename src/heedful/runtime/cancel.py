"""Cooperative cancellation, checked between batches, where long work also yields to other work."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from threading import Event

STOP: ContextVar[Event | None] = ContextVar("stop", default=None)
TURN: ContextVar[Callable[[], None] | None] = ContextVar("turn", default=None)  # may wait until others had theirs


class Stopped(Exception):  # noqa: N818  nothing is wrong
    """The caller has disconnected."""


def check_wanted() -> None:
    """Raise if the caller of the current work has disconnected; wait if it is the turn of other work."""
    stop = STOP.get()
    if stop is not None and stop.is_set():
        raise Stopped
    turn = TURN.get()
    if turn is not None:
        turn()
