"""Calls that are not gathered (explanations, searches, other kinds of models): a few at a time, some waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

from heedful.runtime.stop import STOP, check_wanted
from heedful.serve.faults import Busy

T = TypeVar("T")
FIRST_SECONDS = 0.05  # of a call, until it is known


class Desk:
    """Threads that take one call after the other."""

    def __init__(self, *, threads: int, most_waiting: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="call")
        self._threads, self._most_waiting = threads, most_waiting
        self.open = 0  # calls that wait or are under way
        self.seconds = FIRST_SECONDS

    async def call(self, work: Callable[[], T]) -> T:
        """Return what a call gives. When this is cancelled, the call ends before its next batch, or is never begun."""
        if self.open >= self._most_waiting + self._threads:
            raise Busy(self.open * self.seconds / self._threads)
        stop, loop = Event(), asyncio.get_running_loop()
        self.open += 1
        called = self._pool.submit(_wanted, work, stop)
        asked = asyncio.wrap_future(called)
        asked.add_done_callback(self._closed)
        started = loop.time()
        try:
            found = await asyncio.shield(asked)
        except asyncio.CancelledError:
            stop.set()
            called.cancel()  # where it only waits, its place is free at once
            asked.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody is there to be told
            raise
        self.seconds += 0.1 * (loop.time() - started - self.seconds)
        return found

    def _closed(self, _: object) -> None:
        self.open -= 1

    def close(self) -> None:
        """Wait for the calls under way."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _wanted(work: Callable[[], T], stop: Event) -> T:
    token = STOP.set(stop)
    try:
        check_wanted()
        return work()
    finally:
        STOP.reset(token)
