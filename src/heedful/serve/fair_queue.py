"""A queue that serves clients in rotation, small requests before large ones."""

from __future__ import annotations

from collections import deque
from typing import Generic, Protocol, TypeVar


class QueuedJob(Protocol):
    """A job that can be queued."""

    client: str
    is_small: bool
    since: float


J = TypeVar("J", bound=QueuedJob)


class FairQueue(Generic[J]):
    """Jobs by size and client; first in, first out within a client."""

    def __init__(self) -> None:
        self._small: dict[str, deque[J]] = {}  # the next client in the rotation is the first key
        self._large: dict[str, deque[J]] = {}
        self._since: dict[int, float] = {}  # arrival time by job id, the oldest first

    def __len__(self) -> int:
        return len(self._since)

    def __contains__(self, job: J) -> bool:
        return id(job) in self._since

    @property
    def oldest_since(self) -> float:
        """Arrival time of the oldest job."""
        return next(iter(self._since.values()))

    def count_of(self, client: str) -> int:
        """Return the number of queued jobs of a client."""
        return sum(len(clients[client]) for clients in (self._small, self._large) if client in clients)

    def append(self, job: J) -> None:
        """Add a job behind the other jobs of its client."""
        self._since[id(job)] = job.since
        self._clients_of(job).setdefault(job.client, deque()).append(job)

    def appendleft(self, job: J) -> None:
        """Add a job in front of the other jobs of its client."""
        self._since[id(job)] = job.since
        self._clients_of(job).setdefault(job.client, deque()).appendleft(job)

    def popleft(self, *, large: bool = False) -> J:
        """Remove and return the next job: a small one if there is any, or with `large` a large one if there is any."""
        clients = self._large if (large or not self._small) and self._large else self._small
        client, jobs = next(iter(clients.items()))
        job = jobs.popleft()
        del clients[client]
        if jobs:
            clients[client] = jobs
        del self._since[id(job)]
        return job

    def remove(self, job: J) -> None:
        """Remove a job that was cancelled."""
        clients = self._clients_of(job)
        clients[job.client].remove(job)
        if not clients[job.client]:
            del clients[job.client]
        del self._since[id(job)]

    def _clients_of(self, job: J) -> dict[str, deque[J]]:
        return self._small if job.is_small else self._large
