"""HTTP clients in a closed loop that cost little: each sends its next request when the last is answered.

    python -m benchmarks.serve_load --port 8080 --requests FILE --clients 64 --seconds 8 --pid SERVER

One process, one event loop, raw sockets kept open, requests built beforehand; of an answer status and length are
read, and one in `CHECKED` is parsed and counted. The file has the requests as JSON: a path, bodies, and how many texts
each body has (0: not looked at). Prints one line of JSON: what was answered, how fast, what it cost client and server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import psutil

CHECKED = 50  # one answer in so many is parsed
PATIENCE = 120.0  # seconds that answers may take after the last request was sent


def request_bytes(path: str, body: str, *, method: str = "POST") -> bytes:
    """Return a request as it goes over the wire."""
    content = body.encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content


def count_vectors(body: bytes) -> int:
    """Return how many vectors an answer has, in OpenAI's form or in the rival's."""
    answer = json.loads(body)
    return len([row["embedding"] for row in answer["data"]] if "data" in answer else answer["embeddings"])


class Answer:
    """An answer as it comes in."""

    def __init__(self) -> None:
        self._got = bytearray()
        self._start = self._end = 0
        self.status = 0
        self.is_last = False  # whether the server closes the connection behind it

    def feed(self, data: bytes) -> bool:
        """Take some bytes; return whether the answer is whole."""
        self._got += data
        if not self._end:
            self._start = self._got.find(b"\r\n\r\n") + 4
            if self._start < 4:
                return False
            head = bytes(self._got[: self._start]).lower()
            self.status = int(head[9:12])
            self.is_last = b"connection: close" in head
            self._end = self._start + int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        return len(self._got) >= self._end

    @property
    def body(self) -> bytes:
        """What was answered."""
        return bytes(self._got[self._start : self._end])


class Crowd:
    """What all clients share: the requests, when to stop, what came back."""

    def __init__(self, requests: Sequence[bytes], *, texts: int, seconds: float) -> None:
        self.requests, self.texts, self.seconds = requests, texts, seconds
        self.taken: list[float] = []
        self.faults: list[str] = []
        self.checked = 0
        self.open = 0
        self.end = float("inf")
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def answered(self, answer: Answer, seconds: float) -> None:
        """Keep what an answer says."""
        self.taken.append(seconds)
        if answer.status != 200:
            self.faults.append(f"status {answer.status}: {answer.body[:200]!r}")
        elif self.texts and len(self.taken) % CHECKED == 1:
            self.checked += 1
            if (n := count_vectors(answer.body)) != self.texts:
                self.faults.append(f"{n} vectors for {self.texts} texts")

    def left(self, fault: str | None = None) -> None:
        """A client has ended."""
        self.faults += [fault] if fault else []
        self.open -= 1
        if self.open == 0 and not self.done.done():
            self.done.set_result(None)


class Client(asyncio.Protocol):
    """One connection, one request at a time."""

    def __init__(self, crowd: Crowd, first: int) -> None:
        self._crowd, self._next = crowd, first
        self._transport: asyncio.Transport | None = None
        self._answer = Answer()
        self._sent = 0.0
        self._is_over = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the connection."""
        self._transport = cast("asyncio.Transport", transport)

    def send(self) -> None:
        """Send the next request, or end."""
        assert self._transport is not None
        self._sent = time.perf_counter()
        if self._sent >= self._crowd.end:
            self._is_over = True
            self._transport.close()
            self._crowd.left()
            return
        self._answer = Answer()
        self._transport.write(self._crowd.requests[self._next % len(self._crowd.requests)])
        self._next += 1

    def data_received(self, data: bytes) -> None:
        """Take a part of the answer."""
        if self._answer.feed(data):
            self._crowd.answered(self._answer, time.perf_counter() - self._sent)
            self.send()

    def connection_lost(self, exc: Exception | None) -> None:
        """Say so where the server closed it."""
        if not self._is_over:
            self._crowd.left(f"connection lost: {exc}")


def cpu_seconds(pid: int) -> float:
    """Return what a process and its children have used of the processors."""
    process = psutil.Process(pid)
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


async def load(port: int, crowd: Crowd, *, clients: int, pid: int) -> dict[str, Any]:
    """Run the clients; the time is from the first request to the last answer."""
    loop = asyncio.get_running_loop()
    step = max(1, len(crowd.requests) // clients)  # each client begins elsewhere
    made = [
        (await loop.create_connection(lambda i=i: Client(crowd, i * step), "127.0.0.1", port))[1]  # type: ignore[misc]
        for i in range(clients)
    ]
    crowd.open = clients
    before, own, started = cpu_seconds(pid), time.process_time(), time.perf_counter()
    crowd.end = started + crowd.seconds
    for client in made:
        client.send()
    await asyncio.wait_for(crowd.done, crowd.seconds + PATIENCE)
    elapsed = time.perf_counter() - started
    low, high = np.percentile(crowd.taken, (50, 99)) if crowd.taken else (0.0, 0.0)
    return {
        "requests": len(crowd.taken),
        "sentences_per_second": len(crowd.taken) * crowd.texts / elapsed,
        "p50_ms": 1e3 * float(low),
        "p99_ms": 1e3 * float(high),
        "seconds": elapsed,
        "client_cpu_seconds": time.process_time() - own,
        "server_cpu_seconds": cpu_seconds(pid) - before,
        "checked": crowd.checked,
        "faults": crowd.faults[:10],
    }


def main() -> None:
    """Load a server and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--requests", type=Path, required=True)
    parser.add_argument("--clients", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--pid", type=int, required=True)
    args = parser.parse_args()
    given = json.loads(args.requests.read_text(encoding="utf-8"))
    requests = [request_bytes(given["path"], body) for body in given["bodies"]]

    async def run() -> dict[str, Any]:
        crowd = Crowd(requests, texts=given["texts"], seconds=args.seconds)
        return await load(args.port, crowd, clients=args.clients, pid=args.pid)

    import uvloop

    print(json.dumps(uvloop.run(run())))


if __name__ == "__main__":
    main()
