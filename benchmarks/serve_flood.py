"""HTTP clients in an open loop: a request is sent when it is due, however many are still without an answer.

    python -m benchmarks.serve_flood --port 8080 --requests FILE --rate 800 --seconds 600

Some clients go away before they are answered, some read large answers slowly, some not at all. Times are taken from
when a request was due. Prints one line of JSON: what was offered, every status, and what was never answered.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import socket
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from benchmarks.serve_load import Answer, request_bytes

TICK = 0.002
GIVEN_UP = 0.01  # share of requests whose client goes away
CONNECTIONS = 4000  # at most; what is due while all are busy is held back, and counted
IDLE_SECONDS = 5.0  # connections unused for longer are not used again
PATIENCE = 60.0  # seconds that answers may take after the last request was sent
SLOW_READERS, STALLED_READERS = 4, 2
SLOW_PAUSE, STALLED_PAUSE = 0.05, 40.0  # seconds between two reads
CHUNK = 32_768


class Due(NamedTuple):
    """A request, and when it was due."""

    kind: str
    content: bytes
    since: float


class Flood:
    """What all clients share: connections that are free, and what came back."""

    def __init__(self, port: int, seed: int = 0) -> None:
        self.port, self.random = port, random.Random(seed)
        self.idle: list[tuple[float, Client]] = []
        self.clients = 0
        self.statuses: dict[str, Counter[str]] = {}
        self.seconds: dict[str, list[float]] = {}
        self.counts: Counter[str] = Counter()
        self.unanswered: Counter[str] = Counter()
        self.opening: set[asyncio.Task[None]] = set()

    def offer(self, due: Due) -> None:
        """Send a request by a free connection, or a new one."""
        self.counts["offered"] += 1
        now = time.perf_counter()
        while self.idle:
            since, client = self.idle.pop()
            if now - since < IDLE_SECONDS and client.send(due):
                return
            client.close()
        if self.clients >= CONNECTIONS:
            self.counts["held_back"] += 1
            return
        self.clients += 1
        task = asyncio.get_running_loop().create_task(self._open(due))
        self.opening.add(task)
        task.add_done_callback(self.opening.discard)

    async def _open(self, due: Due) -> None:
        try:
            made = await asyncio.get_running_loop().create_connection(lambda: Client(self), "127.0.0.1", self.port)
        except OSError as error:
            self.clients -= 1
            self.unanswered[f"no connection: {type(error).__name__}"] += 1
        else:
            made[1].send(due)

    def answered(self, due: Due, answer: Answer) -> None:
        """Keep what an answer says."""
        self.statuses.setdefault(due.kind, Counter())[str(answer.status)] += 1
        if answer.status == 200:
            self.seconds.setdefault(due.kind, []).append(time.perf_counter() - due.since)

    @property
    def is_quiet(self) -> bool:
        """Whether nothing waits for an answer."""
        return self.clients == len(self.idle) and not self.opening


class Client(asyncio.Protocol):
    """A connection that is kept open."""

    def __init__(self, flood: Flood) -> None:
        self._flood = flood
        self._due: Due | None = None
        self._answer = Answer()
        self._transport: asyncio.Transport | None = None
        self._is_leaving = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the connection."""
        self._transport = cast("asyncio.Transport", transport)

    def send(self, due: Due) -> bool:
        """Send a request; return False where the connection is closed."""
        if self._transport is None or self._transport.is_closing():
            return False
        self._due, self._answer = due, Answer()
        self._transport.write(due.content)
        if self._flood.random.random() < GIVEN_UP:
            asyncio.get_running_loop().call_later(self._flood.random.random() * 0.2, self._leave, due)
        return True

    def close(self) -> None:
        """Close a connection that nobody uses."""
        if self._transport is not None:
            self._transport.close()

    def _leave(self, due: Due) -> None:
        """Go away, if there is no answer yet."""
        if self._due is due and self._transport is not None:
            self._is_leaving = True
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take a part of the answer."""
        if self._due is not None and self._answer.feed(data):
            self._flood.answered(self._due, self._answer)
            self._due = None
            if self._answer.status in (200, 429) and not self._answer.is_last:
                self._flood.idle.append((time.perf_counter(), self))
            else:
                self.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count a request that is left without an answer."""
        flood = self._flood
        flood.clients -= 1
        flood.idle = [each for each in flood.idle if each[1] is not self] if self._due is None else flood.idle
        if self._is_leaving:
            flood.counts["given_up"] += 1
        elif self._due is not None:
            flood.unanswered[f"connection lost: {type(exc).__name__}"] += 1


async def read_slowly(flood: Flood, content: bytes, *, name: str, pause: float, end: float) -> None:
    """Ask for a large answer and take it in small parts, again and again; count how it ends."""
    loop = asyncio.get_running_loop()
    while time.perf_counter() < end:
        with socket.socket() as made:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
            made.setblocking(False)
            outcome, answer = "cut", Answer()
            with suppress(OSError):
                await loop.sock_connect(made, ("127.0.0.1", flood.port))
                await loop.sock_sendall(made, content)
                while data := await loop.sock_recv(made, CHUNK):
                    if answer.feed(data):
                        outcome = str(answer.status)
                        break
                    await asyncio.sleep(pause)
        flood.counts[f"{name} {outcome}"] += 1
        await asyncio.sleep(1.0)


async def flooded(flood: Flood, requests: dict[str, Any], *, rate: float, seconds: float) -> None:
    """Offer requests at a rate for a time, then wait for the answers."""
    kinds = list(requests["kinds"])
    shares = [requests["kinds"][kind]["share"] for kind in kinds]
    made = {k: [request_bytes(requests["kinds"][k]["path"], b) for b in requests["kinds"][k]["bodies"]] for k in kinds}
    large = request_bytes(requests["large"]["path"], requests["large"]["body"])
    started = time.perf_counter()
    end = started + seconds
    readers = [("slow reader", SLOW_PAUSE)] * SLOW_READERS + [("stalled reader", STALLED_PAUSE)] * STALLED_READERS
    tasks = [asyncio.create_task(read_slowly(flood, large, name=name, pause=pause, end=end)) for name, pause in readers]
    number = 0
    while (now := time.perf_counter()) < end:
        while (since := started + number / rate) <= now:
            kind = flood.random.choices(kinds, shares)[0]
            flood.offer(Due(kind, flood.random.choice(made[kind]), since))
            number += 1
        await asyncio.sleep(TICK)
    while not flood.is_quiet and time.perf_counter() < end + PATIENCE:
        await asyncio.sleep(0.05)
    flood.unanswered["too late"] += flood.clients - len(flood.idle)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def summary(flood: Flood) -> dict[str, Any]:
    """Return what was found."""
    everything = [seconds for each in flood.seconds.values() for seconds in each]
    return {
        **{name: flood.counts[name] for name in ("offered", "held_back", "given_up")},
        "statuses": dict(sum(flood.statuses.values(), Counter[str]())),
        "statuses_by_kind": {kind: dict(each) for kind, each in flood.statuses.items()},
        "unanswered": {why: n for why, n in flood.unanswered.items() if n},
        "readers": {name: n for name, n in sorted(flood.counts.items()) if "reader" in name},
        "accepted_ms": percentiles(everything),
        "accepted_ms_by_kind": {kind: percentiles(each) for kind, each in flood.seconds.items()},
        "client_cpu_seconds": time.process_time(),
    }


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """Return p50, p99 and the largest, in milliseconds."""
    if not seconds:
        return {}
    return {name: 1e3 * float(np.percentile(seconds, q)) for name, q in (("p50", 50), ("p99", 99), ("most", 100))}


def main() -> None:
    """Flood a server and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--requests", type=Path, required=True)
    parser.add_argument("--rate", type=float, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    args = parser.parse_args()
    requests = json.loads(args.requests.read_text(encoding="utf-8"))

    async def run() -> dict[str, Any]:
        flood = Flood(args.port)
        await flooded(flood, requests, rate=args.rate, seconds=args.seconds)
        return summary(flood)

    import uvloop

    print(json.dumps(uvloop.run(run())))


if __name__ == "__main__":
    main()
