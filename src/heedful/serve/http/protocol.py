"""Connections: how long to wait for a client, how much of a head to take, and errors below the app in the one form."""

from __future__ import annotations

import asyncio
import select
from collections.abc import Callable
from itertools import islice
from typing import Any, ClassVar

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from heedful.serve.http.errors import Refused
from heedful.serve.http.write_coalescing import OneWrite

MOST_HEAD = 65_536  # bytes of headers
LARGE = 65_536  # bytes of an answer that are worth a look at what others have left lying
ALWAYS = (b"/health", b"/ready")  # are answered however many connections there are
FULL = "There are more connections than this server takes. Try again in a while."


Quiet = dict["PatientProtocol", float]  # and since when
# Seconds before a connection may be closed for another: its request may be on the way, or not read yet.
SILENT_SECONDS, IDLE_SECONDS = 0.5, 1.0
LOOKED_AT = 64  # connections, for one that may be closed


class PatientProtocol(HttpToolsProtocol):
    """Closes a connection whose request does not come in, or whose answer is not fetched; uvicorn would wait on."""

    patience = 20.0
    most = 1000
    most_open = 2000  # with those that are told that there are too many
    most_unread = 256_000_000  # bytes of answers that are not fetched, of all connections together
    refused: Callable[[int], None] = staticmethod(lambda _: None)  # is told the status of what never comes to the app
    open: ClassVar[Quiet] = {}  # all connections but those that are being closed
    silent: ClassVar[Quiet] = {}  # connections that have sent no request yet, the oldest first
    idle: ClassVar[Quiet] = {}  # that had an answer and send nothing more, the longest first
    unfinished: ClassVar[Quiet] = {}  # whose body is still to come, the oldest first

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the headers; where there are too many connections, close one that does nothing."""
        super().connection_made(OneWrite(transport, self.loop))  # type: ignore[arg-type]
        self._drop_quiet()
        self.open[self] = self.silent[self] = self.loop.time()
        self._late: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._head = 0  # bytes since the last that were a body, or began a request
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take no more of a head than is right, and no more time than that for what is no request."""
        self._head += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._head > MOST_HEAD:
            self._refuse(431, f"The headers are longer than {MOST_HEAD:,} bytes.")
        elif self._late is None and (self.cycle is None or self.cycle.response_complete):
            self._wait()  # bytes behind an answer: what is left of a body, or nothing at all

    def on_message_begin(self) -> None:
        """Begin to wait for the headers of the next request."""
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        """Stop waiting."""
        self._forget()
        self._head = 0
        self.silent.pop(self, None)
        self.idle.pop(self, None)
        self.unfinished[self] = self.loop.time()
        is_full = len(self.open) > self.most and self.url.partition(b"?")[0] not in ALWAYS
        self.app = self._full if is_full else self.config.loaded_app
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Count anew: this is no head."""
        self._head = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Take note that the request is there."""
        self.unfinished.pop(self, None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Begin to wait for the answer to be fetched."""
        super().on_response_complete()
        if self.cycle is None or self.cycle.response_complete:
            self.idle[self] = self.loop.time()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        if size := self.transport.get_write_buffer_size():
            self._unread = self.loop.call_later(self.patience, self._drop_unread)
        if size > LARGE:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._forget()
        for some in (self.open, self.silent, self.idle, self.unfinished):
            some.pop(self, None)
        if self._unread is not None:
            self._unread.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Say what is wrong as all errors are said."""
        self._refuse(400, msg)

    def _wait(self) -> None:
        self._forget()
        self._late = self.loop.call_later(self.patience, self._give_up)

    def _forget(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.abort()

    def _drop_unread(self) -> None:
        self._unread = None
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def _drop_quiet(self) -> None:
        """Where there are too many, close connections that have done nothing for longest."""
        while len(self.open) >= self.most and (each := self._longest_quiet()) is not None:
            for some in (self.open, self.silent, self.idle, self.unfinished):
                some.pop(each, None)
            each.transport.abort()

    def _longest_quiet(self) -> PatientProtocol | None:
        """Return a connection that never spoke, or waits for its client, or is slow; None if all are busy or new."""
        now, is_last_resort = self.loop.time(), len(self.open) >= self.most_open
        for quiet, seconds in ((self.silent, SILENT_SECONDS), (self.idle, IDLE_SECONDS), (self.unfinished, 0.0)):
            for each, since in islice(quiet.items(), LOOKED_AT):
                if now - since < seconds and not is_last_resort:
                    break  # the others are younger
                if not (each.transport.get_write_buffer_size() or each._has_unread()):
                    return each
        return None

    def _has_unread(self) -> bool:
        """Return whether bytes of the client wait in the system: a busy event loop has not read them yet."""
        poll = select.poll()
        poll.register(self.transport.get_extra_info("socket").fileno(), select.POLLIN)
        return bool(poll.poll(0))

    def _make_room(self) -> None:
        """Where more lies unread than may, drop those that have had the most time; not the one that came last."""
        ours = (each for each in self.connections if isinstance(each, PatientProtocol))
        until = {each: each._unread.when() for each in ours if each._unread is not None}
        sizes = {each: each.transport.get_write_buffer_size() for each in sorted(until, key=until.__getitem__)}
        over = sum(sizes.values()) - self.most_unread
        for each in list(sizes)[:-1]:
            if over <= 0:
                return
            over -= sizes[each]
            each._drop_unread()

    async def _full(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer in the app's place."""
        self.refused(429)
        full = Refused(429, FULL, code="too_many_connections", headers={"Connection": "close", "Retry-After": "1"})
        await full.response()(scope, receive, send)

    def _refuse(self, status: int, message: str) -> None:
        self.refused(status)
        body = Refused(status, message).body()
        head = f"HTTP/1.1 {status} \r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()
