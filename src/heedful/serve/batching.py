"""Texts of many requests, gathered into batches.

A request that comes alone is run at once. While workers are busy, requests queue; a worker that is free takes texts of
several, each request in its turn, up to a number of tokens. So batches grow with the load, and only then; workers
that are idle share what there is. Where a batch fails, each request in it is run by itself: none fails by its company.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import Features
from heedful.serve.fair_queue import Turns
from heedful.serve.http.errors import Busy
from heedful.serve.threads import DaemonThreads

Runner = Callable[[Sequence[Features]], NDArray[Any]]  # features to one row each
SHARE = 32  # texts of one request that are taken in its turn
FIRST_RATE = 20_000.0  # tokens a second, until it is known
PART = 128  # tokens that are worth a worker of their own, where several are idle
AT_ONCE = 64  # tokens, a few milliseconds, that may be run in the event loop itself
SMALL = 256  # tokens of a request that goes before large ones, and for which a part of the queue is kept free
LARGE_SHARE = 0.75  # of the queue, for large requests, and for the requests of one client
FULL = 1024  # tokens of a batch from which on the measured rate counts fully
CONTENDED = 0.5  # share of each batch for small and for large requests, where both wait


@dataclass(eq=False)
class Job:
    """The texts of one request."""

    runner: Runner
    features: Sequence[Features]
    done: asyncio.Future[NDArray[Any]]
    since: float
    client: str = ""
    is_small: bool = True
    next: int = 0  # the first that no worker has taken
    left: int = 0  # those without an answer
    rows: NDArray[Any] | None = None

    def tokens(self) -> int:
        """Return how many tokens no worker has taken."""
        return sum(cost(each) for each in self.features[self.next :])


@dataclass
class Taken:
    """What a worker runs as one: the texts, and whose they are."""

    features: list[Features] = field(default_factory=list)
    parts: list[tuple[Job, int, int]] = field(default_factory=list)  # job, from, to
    tokens: int = 0
    started: float = 0.0  # time of the event loop

    def by_request(self) -> list[Taken]:
        """Return the same, each request by itself; those that were given up are left out."""
        found: dict[int, Taken] = {}
        at = 0
        for job, first, end in self.parts:
            features = self.features[at : at + end - first]
            at += end - first
            if not job.done.done():
                own = found.setdefault(id(job), Taken())
                own.features += features
                own.parts.append((job, first, end))
                own.tokens += sum(map(cost, features))
        return list(found.values())


class Gatherer:
    """The queue, and the workers. All but the work itself happens in the event loop, so nothing is locked."""

    def __init__(
        self,
        *,
        workers: int = 1,
        batch_tokens: int = 4096,
        queue_tokens: int = 200_000,
        queue_requests: int = 512,
        queue_seconds: float = math.inf,
        wait: float = 0.001,
        told: Callable[[int, int], None] = lambda *_: None,
    ) -> None:
        self._pool = DaemonThreads(workers, "batch")
        self._workers = self._free = workers
        self._batch_tokens, self._queue_tokens, self._wait, self._told = batch_tokens, queue_tokens, wait, told
        self._queue_requests, self._queue_seconds = queue_requests, queue_seconds
        self._queues: dict[Runner, Turns[Job]] = {}
        self._again: deque[Taken] = deque()  # of batches that failed, request by request
        self._timer: asyncio.TimerHandle | None = None
        self.waiting = 0  # tokens that no worker has taken
        self._waiting_large = 0  # those of large requests
        self.rate = FIRST_RATE

    def submit(self, runner: Runner, features: Sequence[Features], *, client: str = "") -> asyncio.Future[NDArray[Any]]:
        """Return a future of one row for each text; raises Busy where too much waits. Cancel it to give up."""
        loop = asyncio.get_running_loop()
        job = Job(runner, features, loop.create_future(), loop.time(), client, left=len(features))
        tokens = job.tokens()
        job.is_small = tokens <= SMALL
        self.check_room(tokens, client=client)
        if not features:
            job.done.set_result(np.zeros((0, 0), dtype=np.float32))
            return job.done
        self._count(job, tokens)
        self._queues.setdefault(runner, Turns()).append(job)
        job.done.add_done_callback(lambda done: self._given_up(job) if done.cancelled() else None)
        self._start()
        return job.done

    def at_once(self, runner: Runner, features: Sequence[Features]) -> NDArray[Any] | None:
        """Return a row for each text, run here and now; None where there is much to do, or a worker is busy.

        To hand a text to a thread and back takes a third as long as to run it. Whoever calls this makes sure that
        nobody else is waiting for the event loop.
        """
        tokens = sum(map(cost, features))
        if not features or tokens > AT_ONCE or self._free < self._workers or self.waiting:
            return None
        self._told(len(features), tokens)
        return runner(features)

    def check_room(self, tokens: int = 0, *, client: str = "") -> None:
        """Raise Busy if the queue is full, or so long that a request of this size would wait too long.

        A part of the queue is reserved for small requests, and for other clients.
        """
        if not self.waiting:
            return
        seconds = self._expected_wait(is_small=tokens <= SMALL)
        if seconds > self._queue_seconds:
            raise Busy(seconds)
        share = 1.0 if tokens <= SMALL else LARGE_SHARE
        is_full = sum(map(len, self._queues.values())) >= self._queue_requests
        own = sum(queue.of(client) for queue in self._queues.values()) if client else 0
        is_own_full = own >= max(1, LARGE_SHARE * self._queue_requests)
        if is_full or is_own_full or self.waiting + tokens > share * self._queue_tokens:
            raise Busy(self.waiting / self.rate)

    def _expected_wait(self, *, is_small: bool) -> float:
        """Return the expected seconds in the queue for a new request."""
        large, small = self._waiting_large, self.waiting - self._waiting_large
        ahead, other = (small, large) if is_small else (large, small)
        return ahead / (self.rate * (CONTENDED if other else 1.0))

    def _count(self, job: Job, tokens: int) -> None:
        """Add tokens of a job to those that wait; a negative number removes them."""
        self.waiting += tokens
        self._waiting_large += 0 if job.is_small else tokens

    @property
    def busy(self) -> int:
        """How many batches are under way."""
        return self._pool.busy

    def close(self) -> None:
        """Let the workers end. What is under way is not waited for."""
        self._pool.shutdown()

    def _given_up(self, job: Job) -> None:
        queue = self._queues.get(job.runner)
        if queue is not None and job in queue:
            queue.remove(job)
            self._count(job, -job.tokens())
            if not queue:
                del self._queues[job.runner]

    def _start(self) -> None:
        """Give work to the workers that are free."""
        while self._free and self._again:
            self._give(self._again.popleft())
        is_idle = self._free == self._workers
        while self._free and self._queues and (is_idle or not self._should_wait()):
            self._give(self._take(min(self._queues, key=lambda each: self._queues[each].since)))

    def _give(self, taken: Taken) -> None:
        loop = asyncio.get_running_loop()
        self._free -= 1
        taken.started = loop.time()
        self._told(len(taken.features), taken.tokens)
        ran = loop.run_in_executor(self._pool, self._run, taken)
        ran.add_done_callback(lambda ran: self._ran(ran, taken))

    def _should_wait(self) -> bool:
        """Return whether a small batch should wait for company, and see to it that it does not wait long.

        A worker that is idle has nothing to lose by starting, unless the others are busy with work that came in
        together: then their clients come back together as well.
        """
        if not self._wait or self.waiting >= self._batch_tokens:
            return False
        now = asyncio.get_running_loop().time()
        oldest = min(queue.since for queue in self._queues.values())
        if now - oldest >= self._wait:
            return False
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_at(oldest + self._wait, self._waited)
        return True

    def _waited(self) -> None:
        self._timer = None
        self._start()

    def _take(self, runner: Runner) -> Taken:
        """Take texts from each request in turn, and leave to others that are idle their part of them."""
        queue, taken = self._queues[runner], Taken()
        most = min(self._batch_tokens, max(PART, -(-self.waiting // self._free)))
        while queue and (not taken.features or taken.tokens < most):
            job = queue.popleft(large=2 * taken.tokens >= most)
            first = job.next
            end = min(first + SHARE, len(job.features))
            while job.next < end and (not taken.features or taken.tokens < most):
                tokens = cost(job.features[job.next])
                self._count(job, -tokens)
                taken.tokens += tokens
                taken.features.append(job.features[job.next])
                job.next += 1
            taken.parts.append((job, first, job.next))
            if job.next == len(job.features):
                continue
            if job.next == end:
                queue.append(job)
            else:  # the batch is full: the job goes on with its turn in the next one
                queue.appendleft(job)
        if not queue:
            del self._queues[runner]
        return taken

    @staticmethod
    def _run(taken: Taken) -> NDArray[Any]:
        return taken.parts[0][0].runner(taken.features)

    def _ran(self, ran: asyncio.Future[NDArray[Any]], taken: Taken) -> None:
        self._free += 1
        error = ran.exception()
        if error and any(len(own.parts) < len(taken.parts) for own in taken.by_request()):
            self._again.extend(taken.by_request())
        elif error:
            for job, _, _ in taken.parts:
                if not job.done.done():
                    job.done.set_exception(error)
                    self._given_up(job)
        else:
            rows = ran.result()
            seconds = asyncio.get_running_loop().time() - taken.started  # with the time that the event loop takes
            weight = 0.1 * min(1.0, taken.tokens / FULL)  # a small batch says little about the rate under load
            self.rate += weight * (self._workers * taken.tokens / max(seconds, 1e-6) - self.rate)
            _hand_out(rows, taken)
        self._start()


def _hand_out(rows: NDArray[Any], taken: Taken) -> None:
    at = 0
    for job, first, end in taken.parts:
        part = rows[at : at + end - first]
        at += end - first
        if job.done.done():
            continue
        if job.rows is None:
            job.rows = (
                part if len(part) == len(job.features) else np.zeros((len(job.features), *rows.shape[1:]), rows.dtype)
            )
        if job.rows is not part:
            job.rows[first:end] = part
        job.left -= end - first
        if not job.left:
            job.done.set_result(job.rows)


def cost(features: Features) -> int:
    """Return what a text counts: its tokens, at least one."""
    return max(1, len(features))
