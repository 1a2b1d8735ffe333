"""Calls that are not gathered (explanations, searches, other kinds of models): a few run at a time, in turns.

A call runs in a thread of its own, but only a few hold a turn. Between two batches (`runtime/cancel.py`) a call that
has had its turn hands it over, so a short call never waits for the end of a long one. Short calls go first,
then those of the client that was served least; every fourth turn goes to any call, so that long ones end as well.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Any, TypeVar

from heedful.runtime.cancel import STOP, TURN, Stopped, check_wanted
from heedful.serve.client_usage import Served
from heedful.serve.http.errors import Busy
from heedful.serve.threads import outcome

T = TypeVar("T")
FIRST_SECONDS = {True: 0.05, False: 1.0}  # that a short and a long call take, until they are measured
TURN_SECONDS = 0.05  # after which a call hands its turn over, if another waits
SHORT_SECONDS, SHORT_COST = 0.25, 5_000  # what a short call takes: time, and tokens to run
MOST_STARTED = 16  # calls that have begun, besides those that have a turn: each keeps its memory
LEFT_AFTER = 5.0  # seconds for a call that nobody waits for to end; then others get its turn
MOST_LEFT = 4  # calls that were left to themselves, for each thread
log = logging.getLogger("heedful.serve")


@dataclass(eq=False)
class Call:
    """A call, and where it stands."""

    work: Callable[[], Any]
    client: str
    cost: int
    order: int
    done: Future[Any] = field(default_factory=Future)
    stop: Event = field(default_factory=Event)
    turn: Event = field(default_factory=Event)
    used: float = 0.0  # seconds
    since: float = 0.0  # when its turn began
    is_started: bool = False
    has_turn: bool = False
    is_left: bool = False
    is_over: bool = False

    @property
    def is_cheap(self) -> bool:
        """Whether it is expected to be short."""
        return self.cost <= SHORT_COST

    @property
    def is_short(self) -> bool:
        """Whether it goes before long ones."""
        return self.is_cheap and self.used < SHORT_SECONDS


class Desk:
    """Calls that take turns."""

    def __init__(self, *, threads: int, most_waiting: int, most_seconds: float = math.inf) -> None:
        self._threads, self._most_waiting, self._most_seconds = threads, most_waiting, most_seconds
        self._lock, self._served = Lock(), Served()
        self._ready: list[Call] = []  # those that wait for a turn, begun or not
        self._idle: list[SimpleQueue[Call | None]] = []
        self._running = self._started = self._left = self._picked = self._order = 0
        self._is_closed = False
        self.open = 0  # calls that wait or are under way
        self._seconds = dict(FIRST_SECONDS)  # mean seconds of work of cheap calls, and of others

    async def call(self, work: Callable[[], T], *, client: str = "", cost: int = 0) -> T:
        """Return what a call gives. When this is cancelled, the call ends before its next batch, or is never begun.

        `cost` is about how many tokens it will run: many make it a long call from the start.
        """
        loop = asyncio.get_running_loop()
        with self._lock:
            self._order += 1
            call = Call(work, client, cost, self._order)
            seconds = self._expected_wait(call)
            is_full = self.open >= self._most_waiting + self._threads or seconds > self._most_seconds
            if is_full and not self._make_room(call):
                raise Busy(seconds)
            self.open += 1
            self._ready.append(call)
            self._give_turns()
        try:
            result: T = await asyncio.shield(_told(call.done))
        except asyncio.CancelledError:
            self._give_up(call)
            loop.call_later(LEFT_AFTER, self._leave, call)
            raise
        return result

    def close(self) -> None:
        """End all calls between two batches, and wait for none."""
        with self._lock:
            self._is_closed = True
            for call in list(self._ready):
                self._end(call)
            for inbox in self._idle:
                inbox.put(None)

    @property
    def busy(self) -> int:
        """How many threads are in the middle of a call."""
        return self._started

    def _give_up(self, call: Call) -> None:
        with self._lock:
            call.stop.set()
            if call in self._ready:
                self._end(call)
                self._give_turns()

    def _end(self, call: Call) -> None:
        """End a call that waits for a turn. One that has begun wakes up, and ends without one."""
        self._ready.remove(call)
        call.stop.set()
        if call.is_started:
            call.turn.set()
        else:
            self.open -= 1
            call.done.cancel()

    def _leave(self, call: Call) -> None:
        """Give the turn of a call that does not end to others: it may be in native code, for ever."""
        with self._lock:
            if call.is_over or not call.has_turn or self._left >= MOST_LEFT * self._threads:
                return
            call.has_turn, call.is_left = False, True
            self._running -= 1
            self._left += 1
            self._give_turns()
        log.warning(
            "a call does not end and is left to itself", extra={"seconds": round(time.monotonic() - call.since)}
        )

    def _expected_wait(self, new: Call) -> float:
        """Return the expected seconds until a new call gets its first turn; long calls do not delay a short one."""
        ahead = (call for call in self._ready if call.is_short or not new.is_short)
        return sum(max(0.0, self._seconds[call.is_cheap] - call.used) for call in ahead) / self._threads

    def _make_room(self, new: Call) -> bool:
        """Turn away a call that waits, where it is long and this is short, or its client has many more than this."""
        counts: dict[str, int] = {}
        for call in self._ready:
            counts[call.client] = counts.get(call.client, 0) + 1
        own = counts.get(new.client, 0)
        waiting = [call for call in self._ready if not call.is_started]
        fitting = [
            call
            for call in waiting
            if (new.is_short and not call.is_short)
            or (new.is_short >= call.is_short and counts[call.client] > own + 1 and call.client != new.client)
        ]
        if not fitting:
            return False
        last = max(fitting, key=lambda call: (counts[call.client], call.order))
        self._ready.remove(last)
        self.open -= 1
        with suppress(Exception):
            last.done.set_exception(Busy(self._expected_wait(last)))
        return True

    def _give_turns(self) -> None:
        """Give the turns that are free; the lock is held."""
        while self._running < self._threads and (call := self._pick()) is not None:
            self._ready.remove(call)
            self._running += 1
            call.has_turn, call.since = True, time.monotonic()
            if call.is_started:
                call.turn.set()
            else:
                call.is_started = True
                self._started += 1
                self._begin(call)

    def _pick(self) -> Call | None:
        can_begin = self._started < self._threads * (1 + MOST_LEFT) + MOST_STARTED and not self._is_closed
        fitting = [call for call in self._ready if call.is_started or can_begin]
        if not fitting:
            return None
        self._picked += 1
        is_any = self._picked % 4 == 0
        served = {client: self._served.seconds(client) for client in {call.client for call in fitting}}
        return min(
            fitting,
            key=lambda call: (not (is_any or call.is_short), served[call.client], call.used, call.order),
        )

    def _begin(self, call: Call) -> None:
        if self._idle:
            self._idle.pop().put(call)
        else:
            Thread(target=self._work, args=(call,), name="call", daemon=True).start()

    def _work(self, first: Call) -> None:
        inbox: SimpleQueue[Call | None] = SimpleQueue()
        inbox.put(first)
        del first
        while (call := inbox.get()) is not None:
            made: Future[Any] = Future()  # told after its turn is free again
            if call.done.set_running_or_notify_cancel():
                outcome(made, partial(_wanted, call.work, call.stop, partial(self._checked, call)))
            is_kept = self._finished(call, inbox)
            _pass_on(made, call.done)
            if not is_kept:
                return
            del call, made

    def _finished(self, call: Call, inbox: SimpleQueue[Call | None]) -> bool:
        with self._lock:
            call.is_over = True
            self.open -= 1
            self._started -= 1
            if call.has_turn:
                self._running -= 1
                self._charge(call)
                self._seconds[call.is_cheap] += 0.1 * (call.used - self._seconds[call.is_cheap])
            self._left -= call.is_left
            is_kept = len(self._idle) <= self._threads and not self._is_closed
            if is_kept:
                self._idle.append(inbox)
            self._give_turns()
        return is_kept

    def _charge(self, call: Call) -> None:
        spent = time.monotonic() - call.since
        call.used += spent
        self._served.add(call.client, spent)

    def _checked(self, call: Call) -> None:
        """Hand the turn over where it is time to; called in the call's own thread, between two batches."""
        with self._lock:
            if not call.has_turn or not self._ready:
                return
            spent = time.monotonic() - call.since
            is_long = call.cost > SHORT_COST or call.used + spent >= SHORT_SECONDS
            if spent < TURN_SECONDS and not (is_long and any(each.is_short for each in self._ready)):
                return
            self._charge(call)
            self._running -= 1
            call.has_turn = False
            call.turn.clear()
            self._ready.append(call)
            self._give_turns()
        call.turn.wait()
        if call.stop.is_set():
            raise Stopped


def _told(done: Future[Any]) -> asyncio.Future[Any]:
    """Return a future of the event loop that nobody has to look at."""
    asked = asyncio.wrap_future(done)
    asked.add_done_callback(lambda each: each.cancelled() or each.exception())
    return asked


def _pass_on(made: Future[Any], done: Future[Any]) -> None:
    if not made.done():
        return
    error = made.exception()
    if error is not None:
        done.set_exception(error)
    else:
        done.set_result(made.result())


def _wanted(work: Callable[[], T], stop: Event, checked: Callable[[], None]) -> T:
    tokens = STOP.set(stop), TURN.set(checked)
    try:
        check_wanted()
        return work()
    finally:
        STOP.reset(tokens[0])
        TURN.reset(tokens[1])
