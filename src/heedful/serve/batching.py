"""Dynamic batching: texts of concurrent requests run in shared batches.

A request that arrives alone runs at once. While all workers are busy, requests queue. A worker that becomes free takes
texts of several requests in rotation, up to a number of tokens, so batches grow with the load and only then. Idle
workers split the queue between them. If a batch fails, each of its requests is retried in a batch of its own: no
request fails because of another.
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
from heedful.serve.fair_queue import FairQueue
from heedful.serve.http.errors import Busy
from heedful.serve.threads import DaemonThreadPool

Runner = Callable[[Sequence[Features]], NDArray[Any]]  # features to one row each
TEXTS_PER_TURN = 32  # taken from one request before the next request's turn
INITIAL_RATE = 20_000.0  # tokens per second, until it is measured
MIN_SPLIT_TOKENS = 128  # worth a worker of their own, if several are idle
INLINE_TOKENS = 64  # a few milliseconds: may run in the event loop itself
SMALL_TOKENS = 256  # of a request that goes before large ones, with a reserved part of the queue
LARGE_SHARE = 0.75  # of the queue, for large requests, and for the requests of one client
FULL_WEIGHT_TOKENS = 1024  # of a batch whose measured rate gets full weight
CONTENDED_SHARE = 0.5  # of each batch for small and for large requests, if both wait


@dataclass(eq=False)
class Job:
    """The texts of one request."""

    runner: Runner
    features: Sequence[Features]
    done: asyncio.Future[NDArray[Any]]
    since: float
    client: str = ""
    is_small: bool = True
    next: int = 0  # index of the first text that no worker has taken
    missing: int = 0  # texts without a result
    rows: NDArray[Any] | None = None

    def waiting_tokens(self) -> int:
        """Return the number of tokens that no worker has taken."""
        return sum(cost(text) for text in self.features[self.next :])


@dataclass
class Batch:
    """Texts that a worker runs together, and the jobs that they belong to."""

    features: list[Features] = field(default_factory=list)
    parts: list[tuple[Job, int, int]] = field(default_factory=list)  # job, start, end
    tokens: int = 0
    started: float = 0.0  # event loop time

    def by_request(self) -> list[Batch]:
        """Return one batch for each request, without requests that were cancelled."""
        batches: dict[int, Batch] = {}
        at = 0
        for job, start, end in self.parts:
            features = self.features[at : at + end - start]
            at += end - start
            if not job.done.done():
                batch = batches.setdefault(id(job), Batch())
                batch.features += features
                batch.parts.append((job, start, end))
                batch.tokens += sum(map(cost, features))
        return list(batches.values())


class Batcher:
    """The queue and its workers. Only the model runs in threads; the rest is in the event loop and needs no lock."""

    def __init__(
        self,
        *,
        workers: int = 1,
        batch_tokens: int = 4096,
        queue_tokens: int = 200_000,
        queue_requests: int = 512,
        queue_seconds: float = math.inf,
        wait: float = 0.001,
        on_batch: Callable[[int, int], None] = lambda *_: None,
    ) -> None:
        self._pool = DaemonThreadPool(workers, "batch")
        self._workers = self._free = workers
        self._batch_tokens, self._queue_tokens, self._wait, self._on_batch = batch_tokens, queue_tokens, wait, on_batch
        self._queue_requests, self._queue_seconds = queue_requests, queue_seconds
        self._queues: dict[Runner, FairQueue[Job]] = {}
        self._retries: deque[Batch] = deque()  # batches that failed, split by request
        self._timer: asyncio.TimerHandle | None = None
        self.waiting = 0  # tokens that no worker has taken
        self._waiting_large = 0  # of them, tokens of large requests
        self.rate = INITIAL_RATE

    def submit(self, runner: Runner, features: Sequence[Features], *, client: str = "") -> asyncio.Future[NDArray[Any]]:
        """Return a future with one row for each text; cancel it to withdraw the request. Raises Busy if overloaded."""
        loop = asyncio.get_running_loop()
        job = Job(runner, features, loop.create_future(), loop.time(), client, missing=len(features))
        tokens = job.waiting_tokens()
        job.is_small = tokens <= SMALL_TOKENS
        self.check_capacity(tokens, client=client)
        if not features:
            job.done.set_result(np.zeros((0, 0), dtype=np.float32))
            return job.done
        self._count(job, tokens)
        self._queues.setdefault(runner, FairQueue()).append(job)
        job.done.add_done_callback(lambda done: self._withdraw(job) if done.cancelled() else None)
        self._dispatch()
        return job.done

    def run_inline(self, runner: Runner, features: Sequence[Features]) -> NDArray[Any] | None:
        """Return one row for each text, run in this thread; None if that is too much work or a worker is busy.

        Handing a text to a thread and back takes a third of the time of running it. The caller makes sure that no
        other request waits for the event loop.
        """
        tokens = sum(map(cost, features))
        if not features or tokens > INLINE_TOKENS or self._free < self._workers or self.waiting:
            return None
        self._on_batch(len(features), tokens)
        return runner(features)

    def check_capacity(self, tokens: int = 0, *, client: str = "") -> None:
        """Raise Busy if the queue is full, or so long that a request of this size would wait too long.

        A part of the queue is reserved for small requests, and for other clients.
        """
        if not self.waiting:
            return
        seconds = self._expected_wait(is_small=tokens <= SMALL_TOKENS)
        if seconds > self._queue_seconds:
            raise Busy(seconds)
        share = 1.0 if tokens <= SMALL_TOKENS else LARGE_SHARE
        is_full = sum(map(len, self._queues.values())) >= self._queue_requests
        own = sum(queue.count_of(client) for queue in self._queues.values()) if client else 0
        is_own_full = own >= max(1, LARGE_SHARE * self._queue_requests)
        if is_full or is_own_full or self.waiting + tokens > share * self._queue_tokens:
            raise Busy(self.waiting / self.rate)

    def _expected_wait(self, *, is_small: bool) -> float:
        """Return the expected seconds in the queue for a new request."""
        large, small = self._waiting_large, self.waiting - self._waiting_large
        ahead, other = (small, large) if is_small else (large, small)
        return ahead / (self.rate * (CONTENDED_SHARE if other else 1.0))

    def _count(self, job: Job, tokens: int) -> None:
        """Add tokens of a job to those that wait; a negative number removes them."""
        self.waiting += tokens
        self._waiting_large += 0 if job.is_small else tokens

    @property
    def busy(self) -> int:
        """Number of batches waiting for a thread or running."""
        return self._pool.busy

    def close(self) -> None:
        """Let the workers end, without waiting for running batches."""
        self._pool.shutdown()

    def _withdraw(self, job: Job) -> None:
        queue = self._queues.get(job.runner)
        if queue is not None and job in queue:
            queue.remove(job)
            self._count(job, -job.waiting_tokens())
            if not queue:
                del self._queues[job.runner]

    def _dispatch(self) -> None:
        """Give batches to the free workers."""
        while self._free and self._retries:
            self._start(self._retries.popleft())
        is_idle = self._free == self._workers
        while self._free and self._queues and (is_idle or not self._should_wait()):
            self._start(self._next_batch(min(self._queues, key=lambda runner: self._queues[runner].oldest_since)))

    def _start(self, batch: Batch) -> None:
        loop = asyncio.get_running_loop()
        self._free -= 1
        batch.started = loop.time()
        self._on_batch(len(batch.features), batch.tokens)
        result = loop.run_in_executor(self._pool, self._run, batch)
        result.add_done_callback(lambda result: self._finish(result, batch))

    def _should_wait(self) -> bool:
        """Return whether a small batch should wait for more requests, and start the timer that limits the wait.

        An idle worker has nothing to lose by starting, unless the other workers run requests that arrived together:
        then their clients will also send their next requests together.
        """
        if not self._wait or self.waiting >= self._batch_tokens:
            return False
        now = asyncio.get_running_loop().time()
        oldest = min(queue.oldest_since for queue in self._queues.values())
        if now - oldest >= self._wait:
            return False
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_at(oldest + self._wait, self._end_wait)
        return True

    def _end_wait(self) -> None:
        self._timer = None
        self._dispatch()

    def _next_batch(self, runner: Runner) -> Batch:
        """Take texts from each request in rotation, and leave the other idle workers their share."""
        queue, batch = self._queues[runner], Batch()
        limit = min(self._batch_tokens, max(MIN_SPLIT_TOKENS, -(-self.waiting // self._free)))
        while queue and (not batch.features or batch.tokens < limit):
            job = queue.popleft(large=2 * batch.tokens >= limit)
            start = job.next
            end = min(start + TEXTS_PER_TURN, len(job.features))
            while job.next < end and (not batch.features or batch.tokens < limit):
                tokens = cost(job.features[job.next])
                self._count(job, -tokens)
                batch.tokens += tokens
                batch.features.append(job.features[job.next])
                job.next += 1
            batch.parts.append((job, start, job.next))
            if job.next == len(job.features):
                continue
            if job.next == end:
                queue.append(job)
            else:  # the batch is full: the job continues its turn in the next batch
                queue.appendleft(job)
        if not queue:
            del self._queues[runner]
        return batch

    @staticmethod
    def _run(batch: Batch) -> NDArray[Any]:
        return batch.parts[0][0].runner(batch.features)

    def _finish(self, result: asyncio.Future[NDArray[Any]], batch: Batch) -> None:
        self._free += 1
        error = result.exception()
        if error and any(len(single.parts) < len(batch.parts) for single in batch.by_request()):
            self._retries.extend(batch.by_request())
        elif error:
            for job, _, _ in batch.parts:
                if not job.done.done():
                    job.done.set_exception(error)
                    self._withdraw(job)
        else:
            rows = result.result()
            seconds = asyncio.get_running_loop().time() - batch.started  # includes the overhead of the event loop
            weight = 0.1 * min(1.0, batch.tokens / FULL_WEIGHT_TOKENS)  # small batches understate the rate under load
            self.rate += weight * (self._workers * batch.tokens / max(seconds, 1e-6) - self.rate)
            _deliver(rows, batch)
        self._dispatch()


def _deliver(rows: NDArray[Any], batch: Batch) -> None:
    """Give each job its rows, and complete the jobs that have all of them."""
    at = 0
    for job, start, end in batch.parts:
        part = rows[at : at + end - start]
        at += end - start
        if job.done.done():
            continue
        if job.rows is None:
            job.rows = (
                part if len(part) == len(job.features) else np.zeros((len(job.features), *rows.shape[1:]), rows.dtype)
            )
        if job.rows is not part:
            job.rows[start:end] = part
        job.missing -= end - start
        if not job.missing:
            job.done.set_result(job.rows)


def cost(features: Features) -> int:
    """Return the cost of a text: its tokens, at least one."""
    return max(1, len(features))
