"""Connections: time and size limits for clients, and errors below the app in the common format."""

from __future__ import annotations

import asyncio
import select
from collections.abc import Callable
from itertools import islice
from typing import Any, ClassVar

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from heedful.serve.http.errors import Refused
from heedful.serve.http.write_coalescing import CoalescedWrites

MAX_HEADER_BYTES = 65_536
LARGE_RESPONSE = 65_536  # unsent bytes that trigger a check of all unsent responses
UNLIMITED_PATHS = (b"/health", b"/ready")  # answered regardless of the number of connections
TOO_MANY = "The server has too many connections. Try again later."


Connections = dict["LimitedProtocol", float]  # with the time since when they are in this state
# Seconds before a connection may be closed for another: its request may be in transit, or not read yet.
SILENT_SECONDS, IDLE_SECONDS = 0.5, 5.0
MAX_EXAMINED = 64  # connections, to find one that may be closed


class LimitedProtocol(HttpToolsProtocol):
    """Closes connections that send their request, or read their response, too slowly; uvicorn waits for ever."""

    timeout = 20.0  # seconds for headers to arrive, and for a response to be read
    max_connections = 1000
    max_open = 2000  # including those that are answered with 429
    max_unsent = 256_000_000  # bytes of responses not read by clients, over all connections
    on_refused: Callable[[int], None] = staticmethod(
        lambda _: None
    )  # called with the status of a refusal below the app
    open: ClassVar[Connections] = {}  # all connections except those being closed
    silent: ClassVar[Connections] = {}  # have sent no request yet, the oldest first
    idle: ClassVar[Connections] = {}  # have had a response and sent nothing since, the oldest first
    unfinished: ClassVar[Connections] = {}  # have not sent their whole body, the oldest first

    def connection_made(self, transport: Any) -> None:
        """Start the timeout for headers. If there are too many connections, close inactive ones."""
        super().connection_made(CoalescedWrites(transport, self.loop))  # type: ignore[arg-type]
        self._close_inactive()
        self.open[self] = self.silent[self] = self.loop.time()
        self._header_timer: asyncio.TimerHandle | None = None
        self._unsent_timer: asyncio.TimerHandle | None = None
        self._header_bytes = 0  # received since the last body or complete headers
        self._start_header_timer()

    def data_received(self, data: bytes) -> None:
        """Reject oversized headers, and time out bytes that never become a request."""
        self._header_bytes += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._header_bytes > MAX_HEADER_BYTES:
            self._refuse(431, f"The headers are longer than {MAX_HEADER_BYTES:,} bytes.")
        elif self._header_timer is None and (self.cycle is None or self.cycle.response_complete):
            self._start_header_timer()  # bytes after a response: the rest of a body, or garbage

    def on_message_begin(self) -> None:
        """Start the timeout for the headers of the next request."""
        super().on_message_begin()
        self._start_header_timer()

    def on_headers_complete(self) -> None:
        """Stop the timeout, and answer with 429 if there are too many connections."""
        self._stop_header_timer()
        self._header_bytes = 0
        self.silent.pop(self, None)
        self.idle.pop(self, None)
        self.unfinished[self] = self.loop.time()
        is_full = len(self.open) > self.max_connections and self.url.partition(b"?")[0] not in UNLIMITED_PATHS
        self.app = self._answer_too_many if is_full else self.config.loaded_app
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Reset the count of header bytes."""
        self._header_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the request is complete."""
        self.unfinished.pop(self, None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Start the timeout for the client to read the response."""
        super().on_response_complete()
        if self.cycle is None or self.cycle.response_complete:
            self.idle[self] = self.loop.time()
        if self._unsent_timer is not None:
            self._unsent_timer.cancel()
            self._unsent_timer = None
        if size := self.transport.get_write_buffer_size():
            self._unsent_timer = self.loop.call_later(self.timeout, self._drop_unsent)
        if size > LARGE_RESPONSE:
            self._limit_unsent()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers."""
        self._stop_header_timer()
        for connections in (self.open, self.silent, self.idle, self.unfinished):
            connections.pop(self, None)
        if self._unsent_timer is not None:
            self._unsent_timer.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer with 400 in the common error format."""
        self._refuse(400, msg)

    def _start_header_timer(self) -> None:
        self._stop_header_timer()
        self._header_timer = self.loop.call_later(self.timeout, self._on_header_timeout)

    def _stop_header_timer(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _on_header_timeout(self) -> None:
        if not self.transport.is_closing():
            self.transport.abort()

    def _drop_unsent(self) -> None:
        self._unsent_timer = None
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def _close_inactive(self) -> None:
        """If there are too many connections, close those that have been inactive for longest."""
        while len(self.open) >= self.max_connections and (inactive := self._longest_inactive()) is not None:
            for connections in (self.open, self.silent, self.idle, self.unfinished):
                connections.pop(inactive, None)
            inactive.transport.abort()

    def _longest_inactive(self) -> LimitedProtocol | None:
        """Return a silent, idle or unfinished connection, in this order; None if all are busy or new."""
        now, is_last_resort = self.loop.time(), len(self.open) >= self.max_open
        for connections, seconds in ((self.silent, SILENT_SECONDS), (self.idle, IDLE_SECONDS), (self.unfinished, 0.0)):
            for connection, since in islice(connections.items(), MAX_EXAMINED):
                if now - since < seconds and not is_last_resort:
                    break  # the others are younger
                if not (connection.transport.get_write_buffer_size() or connection._has_unread()):
                    return connection
        return None

    def _has_unread(self) -> bool:
        """Return whether the socket has bytes that a busy event loop has not read yet."""
        poll = select.poll()
        poll.register(self.transport.get_extra_info("socket").fileno(), select.POLLIN)
        return bool(poll.poll(0))

    def _limit_unsent(self) -> None:
        """If too many bytes are unsent, drop the connections that have had the most time, but not the newest."""
        limited = (connection for connection in self.connections if isinstance(connection, LimitedProtocol))
        deadlines = {
            connection: connection._unsent_timer.when()
            for connection in limited
            if connection._unsent_timer is not None
        }
        sizes = {
            connection: connection.transport.get_write_buffer_size()
            for connection in sorted(deadlines, key=deadlines.__getitem__)
        }
        excess = sum(sizes.values()) - self.max_unsent
        for connection in list(sizes)[:-1]:
            if excess <= 0:
                return
            excess -= sizes[connection]
            connection._drop_unsent()

    async def _answer_too_many(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with 429 instead of the app."""
        self.on_refused(429)
        refusal = Refused(
            429, TOO_MANY, code="too_many_connections", headers={"Connection": "close", "Retry-After": "1"}
        )
        await refusal.response()(scope, receive, send)

    def _refuse(self, status: int, message: str) -> None:
        self.on_refused(status)
        body = Refused(status, message).body()
        head = f"HTTP/1.1 {status} \r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()
