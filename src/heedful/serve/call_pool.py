"""A thread pool with time slices, for calls that are not batched (explanations, searches, other kinds of models).

Each call has a thread, but only a few hold a turn. Between two batches (`runtime/cancel.py`) a call whose time slice
is over yields its turn, so a short call never waits for a long one to end. Short calls go first, then calls of the
client with the least recent usage. Every fourth turn ignores length, so that long calls make progress too.
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
from heedful.serve.client_usage import ClientUsage
from heedful.serve.http.errors import Busy
from heedful.serve.threads import set_outcome

T = TypeVar("T")
INITIAL_SECONDS = {True: 0.05, False: 1.0}  # duration of a cheap and of another call, until it is measured
TURN_SECONDS = 0.05  # time slice, if another call waits
SHORT_SECONDS, SHORT_COST = 0.25, 5_000  # limits of a short call: seconds, tokens
MAX_STARTED = 16  # started calls, besides those with a turn: each of them holds memory
ABANDON_SECONDS = 5.0  # for a cancelled call to end; then its turn goes to others
MAX_ABANDONED = 4  # abandoned calls for each turn
log = logging.getLogger("heedful.serve")


@dataclass(eq=False)
class Call:
    """A call and its state."""

    work: Callable[[], Any]
    client: str
    cost: int
    order: int
    done: Future[Any] = field(default_factory=Future)
    stop: Event = field(default_factory=Event)
    turn: Event = field(default_factory=Event)
    used: float = 0.0  # seconds
    since: float = 0.0  # start of its turn
    is_started: bool = False
    has_turn: bool = False
    is_abandoned: bool = False
    is_over: bool = False

    @property
    def is_cheap(self) -> bool:
        """Whether it is expected to be short, judged by its cost."""
        return self.cost <= SHORT_COST

    @property
    def is_short(self) -> bool:
        """Whether it has priority over long calls."""
        return self.is_cheap and self.used < SHORT_SECONDS


class CallPool:
    """Runs calls in threads, `threads` of them at a time."""

    def __init__(self, *, threads: int, max_waiting: int, max_wait_seconds: float = math.inf) -> None:
        self._threads, self._max_waiting, self._max_wait_seconds = threads, max_waiting, max_wait_seconds
        self._lock, self._usage = Lock(), ClientUsage()
        self._ready: list[Call] = []  # calls waiting for a turn, started or not
        self._idle: list[SimpleQueue[Call | None]] = []
        self._running = self._started = self._abandoned = self._picked = self._order = 0
        self._is_closed = False
        self.open = 0  # calls waiting or running
        self._seconds = dict(INITIAL_SECONDS)  # mean duration of cheap calls (True) and of others (False)

    async def call(self, work: Callable[[], T], *, client: str = "", cost: int = 0) -> T:
        """Return the result of a call. If this is cancelled, the call stops before its next batch or never starts.

        `cost` is the approximate number of tokens: past SHORT_COST it is a long call from the start.
        """
        loop = asyncio.get_running_loop()
        with self._lock:
            self._order += 1
            call = Call(work, client, cost, self._order)
            seconds = self._expected_wait(call)
            is_full = self.open >= self._max_waiting + self._threads or seconds > self._max_wait_seconds
            if is_full and not self._make_room(call):
                raise Busy(seconds)
            self.open += 1
            self._ready.append(call)
            self._give_turns()
        try:
            result: T = await asyncio.shield(_loop_future(call.done))
        except asyncio.CancelledError:
            self._cancel(call)
            loop.call_later(ABANDON_SECONDS, self._abandon, call)
            raise
        return result

    def close(self) -> None:
        """Stop all calls before their next batch, without waiting for them."""
        with self._lock:
            self._is_closed = True
            for call in list(self._ready):
                self._drop(call)
            for inbox in self._idle:
                inbox.put(None)

    @property
    def busy(self) -> int:
        """Number of threads with a started call."""
        return self._started

    def _cancel(self, call: Call) -> None:
        with self._lock:
            call.stop.set()
            if call in self._ready:
                self._drop(call)
                self._give_turns()

    def _drop(self, call: Call) -> None:
        """Drop a call that waits for a turn. A started call is woken up and raises."""
        self._ready.remove(call)
        call.stop.set()
        if call.is_started:
            call.turn.set()
        else:
            self.open -= 1
            call.done.cancel()

    def _abandon(self, call: Call) -> None:
        """Give the turn of a cancelled call that does not end to others: it may be stuck in native code."""
        with self._lock:
            if call.is_over or not call.has_turn or self._abandoned >= MAX_ABANDONED * self._threads:
                return
            call.has_turn, call.is_abandoned = False, True
            self._running -= 1
            self._abandoned += 1
            self._give_turns()
        log.warning(
            "abandoned a cancelled call that does not end", extra={"seconds": round(time.monotonic() - call.since)}
        )

    def _expected_wait(self, new: Call) -> float:
        """Return the expected seconds until a new call gets its first turn; long calls do not delay a short one."""
        ahead = (call for call in self._ready if call.is_short or not new.is_short)
        return sum(max(0.0, self._seconds[call.is_cheap] - call.used) for call in ahead) / self._threads

    def _make_room(self, new: Call) -> bool:
        """Refuse a waiting call in favour of this one: a long for a short one, or one of a client with many more."""
        counts: dict[str, int] = {}
        for call in self._ready:
            counts[call.client] = counts.get(call.client, 0) + 1
        n_own = counts.get(new.client, 0)
        waiting = [call for call in self._ready if not call.is_started]
        candidates = [
            call
            for call in waiting
            if (new.is_short and not call.is_short)
            or (new.is_short >= call.is_short and counts[call.client] > n_own + 1 and call.client != new.client)
        ]
        if not candidates:
            return False
        last = max(candidates, key=lambda call: (counts[call.client], call.order))
        self._ready.remove(last)
        self.open -= 1
        with suppress(Exception):
            last.done.set_exception(Busy(self._expected_wait(last)))
        return True

    def _give_turns(self) -> None:
        """Give free turns to waiting calls; the lock is held."""
        while self._running < self._threads and (call := self._pick()) is not None:
            self._ready.remove(call)
            self._running += 1
            call.has_turn, call.since = True, time.monotonic()
            if call.is_started:
                call.turn.set()
            else:
                call.is_started = True
                self._started += 1
                self._start(call)

    def _pick(self) -> Call | None:
        can_start = self._started < self._threads * (1 + MAX_ABANDONED) + MAX_STARTED and not self._is_closed
        candidates = [call for call in self._ready if call.is_started or can_start]
        if not candidates:
            return None
        self._picked += 1
        ignores_length = self._picked % 4 == 0
        usage = {client: self._usage.seconds(client) for client in {call.client for call in candidates}}
        return min(
            candidates,
            key=lambda call: (not (ignores_length or call.is_short), usage[call.client], call.used, call.order),
        )

    def _start(self, call: Call) -> None:
        if self._idle:
            self._idle.pop().put(call)
        else:
            Thread(target=self._work, args=(call,), name="call", daemon=True).start()

    def _work(self, first: Call) -> None:
        inbox: SimpleQueue[Call | None] = SimpleQueue()
        inbox.put(first)
        del first
        while (call := inbox.get()) is not None:
            result: Future[Any] = Future()  # passed on once the turn is free again
            if call.done.set_running_or_notify_cancel():
                set_outcome(result, partial(_run_cancellable, call.work, call.stop, partial(self._yield_turn, call)))
            is_kept = self._finish(call, inbox)
            _copy_result(result, call.done)
            if not is_kept:
                return
            del call, result

    def _finish(self, call: Call, inbox: SimpleQueue[Call | None]) -> bool:
        with self._lock:
            call.is_over = True
            self.open -= 1
            self._started -= 1
            if call.has_turn:
                self._running -= 1
                self._charge(call)
                self._seconds[call.is_cheap] += 0.1 * (call.used - self._seconds[call.is_cheap])
            self._abandoned -= call.is_abandoned
            is_kept = len(self._idle) <= self._threads and not self._is_closed
            if is_kept:
                self._idle.append(inbox)
            self._give_turns()
        return is_kept

    def _charge(self, call: Call) -> None:
        spent = time.monotonic() - call.since
        call.used += spent
        self._usage.add(call.client, spent)

    def _yield_turn(self, call: Call) -> None:
        """Yield the turn if its time slice is over; called in the thread of the call, between two batches."""
        with self._lock:
            if not call.has_turn or not self._ready:
                return
            spent = time.monotonic() - call.since
            is_long = call.cost > SHORT_COST or call.used + spent >= SHORT_SECONDS
            if spent < TURN_SECONDS and not (is_long and any(waiting.is_short for waiting in self._ready)):
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


def _loop_future(done: Future[Any]) -> asyncio.Future[Any]:
    """Return an asyncio future whose exception may stay unretrieved."""
    future = asyncio.wrap_future(done)
    future.add_done_callback(lambda future: future.cancelled() or future.exception())
    return future


def _copy_result(source: Future[Any], target: Future[Any]) -> None:
    if not source.done():
        return
    error = source.exception()
    if error is not None:
        target.set_exception(error)
    else:
        target.set_result(source.result())


def _run_cancellable(work: Callable[[], T], stop: Event, yield_turn: Callable[[], None]) -> T:
    """Do the work, with the hooks that it checks between two batches."""
    tokens = STOP.set(stop), TURN.set(yield_turn)
    try:
        check_wanted()
        return work()
    finally:
        STOP.reset(tokens[0])
        TURN.reset(tokens[1])
