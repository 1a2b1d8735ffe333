"""A server in a process of its own, and the least that is needed to talk to it."""

from __future__ import annotations

import http.client
import json
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

PATIENCE = 60.0  # seconds: more than any machine needs
WORDS = "the parcel came late on monday and it was lovely for my sister near town"


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as plain values."""
        return json.loads(self.body)

    @property
    def error(self) -> dict[str, Any]:
        """The error in it, which must have the one form."""
        assert self.headers["content-type"] == "application/json", self
        assert set(self.json) == {"error"}, self
        found = self.json["error"]
        assert set(found) == {"message", "type", "param", "code"}, self
        kind = {401: "authentication_error", 429: "rate_limit_error"}.get(
            self.status, "server_error" if self.status >= 500 else "invalid_request_error"
        )
        assert found["type"] == kind, self
        assert isinstance(found["message"], str), self
        assert 0 < len(found["message"]) <= 500, self
        assert {type(found[name]) for name in ("param", "code")} <= {str, type(None)}, self
        return dict(found)


def wait_for(fact: Callable[[], Any], *, seconds: float = PATIENCE) -> Any:
    """Return what the fact gives as soon as it gives something."""
    end = time.monotonic() + seconds
    while not (found := fact()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)
    return found


class Running:
    """`heedful serve` as a user starts it."""

    command: tuple[str, ...] = (sys.executable, "-m", "heedful")

    def __init__(self, *given: str | Path, key: str | None = None, env: Mapping[str, str] | None = None) -> None:
        command = [*self.command, "serve", *map(str, given)]
        told = {name: value for name, value in os.environ.items() if not name.startswith("HEEDFUL_")}
        told |= {"HEEDFUL_API_KEY": key} if key else {}
        self.key = key
        self.process = subprocess.Popen(
            [*command, *(() if "--port" in given else ("--port", "0"))],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**told, **(env or {})},
        )
        self._lines: list[str] = []
        self._address: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.address = self._address.get(timeout=PATIENCE)
        assert self.address, f"the server did not start: {self.log}"

    def _read(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as lines:
            for line in lines:
                self._lines.append(line)
                if found := re.search(r" at (http://\S+)", line):
                    self._address.put(found[1])
        self._address.put("")

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)

    @property
    def log(self) -> str:
        """All that it said on stderr."""
        return "".join(self._lines)

    @property
    def where(self) -> tuple[str, int]:
        """Host and port."""
        parts = urlsplit(self.address)
        assert parts.hostname is not None
        assert parts.port is not None
        return parts.hostname, parts.port

    def connect(self) -> socket.socket:
        """Return a bare connection."""
        return socket.create_connection(self.where, timeout=PATIENCE)

    def ask(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Answer:
        """Ask once; what is not bytes is sent as JSON."""
        sent = {"Content-Type": "application/json"} if body is not None else {}
        sent |= {"Authorization": f"Bearer {self.key}"} if self.key else {}
        raw = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        connection = http.client.HTTPConnection(*self.where, timeout=PATIENCE)
        try:
            connection.request(method, path, raw, {**sent, **(headers or {})})
            got = connection.getresponse()
            return Answer(got.status, {name.lower(): value for name, value in got.getheaders()}, got.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        """Ask with GET."""
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, body: Any, headers: Mapping[str, str] | None = None) -> Answer:
        """Ask with POST."""
        return self.ask("POST", path, body, headers)

    def figure(self, name: str, **labels: str) -> float:
        """Return one of its figures; 0 where it was never counted."""
        from prometheus_client.parser import text_string_to_metric_families

        families = text_string_to_metric_families(self.get("/metrics").body.decode())
        samples = (sample for family in families for sample in family.samples if sample.name == name)
        return sum(sample.value for sample in samples if labels.items() <= sample.labels.items())

    def stop(self, sign: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(sign)
        return self.ended()

    def ended(self) -> int:
        """Wait for the end and return the exit code."""
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code


def raw_request(path: str, body: bytes, *more: str, length: int | None = None, method: str = "POST") -> bytes:
    """Return a request as it goes over the wire."""
    head = [
        f"{method} {path} HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        f"Content-Length: {len(body) if length is None else length}",
        *more,
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def read_answer(connection: socket.socket) -> Answer:
    """Read one answer from a bare connection."""
    got = http.client.HTTPResponse(connection)
    got.begin()
    return Answer(got.status, {name.lower(): value for name, value in got.getheaders()}, got.read())


def read_answers(connection: socket.socket, n: int) -> list[Answer]:
    """Read several answers that may come in together."""
    found = []
    with connection.makefile("rb") as file:
        for _ in range(n):
            status = int(file.readline().split()[1])
            headers = {name.lower(): value for name, value in http.client.parse_headers(file).items()}
            found.append(Answer(status, headers, file.read(int(headers["content-length"]))))
    return found


def is_closed(connection: socket.socket) -> bool:
    """Wait for the other side to close, and return whether it did; what still comes is thrown away."""
    try:
        while connection.recv(65_536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True
