"""A queue in which clients take turns, and small requests go before large ones."""

from __future__ import annotations

from collections import deque
from typing import Generic, Protocol, TypeVar


class Waiting(Protocol):
    """What can wait in it."""

    client: str
    is_small: bool
    since: float


W = TypeVar("W", bound=Waiting)


class Turns(Generic[W]):
    """Jobs by size and client; within a client in the order that they came."""

    def __init__(self) -> None:
        self._small: dict[str, deque[W]] = {}  # the client whose turn it is comes first
        self._large: dict[str, deque[W]] = {}
        self._since: dict[int, float] = {}  # of each job, the oldest first

    def __len__(self) -> int:
        return len(self._since)

    def __contains__(self, job: W) -> bool:
        return id(job) in self._since

    @property
    def since(self) -> float:
        """When the one that waits longest came."""
        return next(iter(self._since.values()))

    def of(self, client: str) -> int:
        """Return how many jobs of a client wait."""
        return sum(len(some[client]) for some in (self._small, self._large) if client in some)

    def append(self, job: W) -> None:
        """Put a job behind those of its client."""
        self._since[id(job)] = job.since
        self._of(job).setdefault(job.client, deque()).append(job)

    def appendleft(self, job: W) -> None:
        """Put a job before those of its client."""
        self._since[id(job)] = job.since
        self._of(job).setdefault(job.client, deque()).appendleft(job)

    def popleft(self, *, large: bool = False) -> W:
        """Take the next job: a small one, where there is one; with `large`, a large one, where there is one."""
        some = self._large if (large or not self._small) and self._large else self._small
        client, jobs = next(iter(some.items()))
        job = jobs.popleft()
        del some[client]
        if jobs:
            some[client] = jobs
        del self._since[id(job)]
        return job

    def remove(self, job: W) -> None:
        """Take a job that nobody waits for."""
        some = self._of(job)
        some[job.client].remove(job)
        if not some[job.client]:
            del some[job.client]
        del self._since[id(job)]

    def _of(self, job: W) -> dict[str, deque[W]]:
        return self._small if job.is_small else self._large
