"""Runs the app in uvicorn: listening, timeouts, graceful shutdown."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Timer
from types import FrameType
from typing import Any

import uvicorn

from heedful.serve.app import create_app
from heedful.serve.heap import limit_heaps, trim_heaps_regularly
from heedful.serve.http.file_limit import connection_limits
from heedful.serve.http.middleware import OTHER
from heedful.serve.http.protocol import LimitedProtocol
from heedful.serve.service import Service

ACCEPTED_AT_ONCE = 16  # connections in one iteration of the event loop
GRACE = 1  # seconds to send the last responses
SWITCH_INTERVAL = 0.00005  # seconds; with the default of 0.005 an explanation would delay batches


class Server(uvicorn.Server):
    """A uvicorn server that reports "not ready" before it shuts down."""

    def __init__(self, config: uvicorn.Config, service: Service, on_started: Callable[[str], None]) -> None:
        super().__init__(config)
        self._service, self._on_started = service, on_started

    async def startup(self, sockets: Any = None) -> None:
        """Start to listen, and report the address."""
        await super().startup(sockets)
        if self.started:
            await self._accept_faster()
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            self._on_started(f"http://{f'[{host}]' if ':' in host else host}:{port}")

    async def _accept_faster(self) -> None:
        """Listen on duplicated descriptors of the same sockets.

        libuv accepts one connection per descriptor and iteration of the event loop. Under load an iteration takes
        10 ms, and clients would wait seconds for a connection.
        """
        loop = asyncio.get_running_loop()

        def protocol() -> asyncio.Protocol:
            return LimitedProtocol(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

        if type(loop).__module__.partition(".")[0] != "uvloop":
            return  # asyncio accepts all waiting connections
        for listener in [listener for server in self.servers for listener in server.sockets]:
            for _ in range(ACCEPTED_AT_ONCE - 1):
                copy = socket.socket(fileno=os.dup(listener.fileno()))
                self.servers.append(await loop.create_server(protocol, sock=copy, backlog=self.config.backlog))

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002  as signals are handled
        """Report "not ready", let load balancers drain, then stop; a second signal skips the wait."""
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        wait = 0.0 if self._service.is_stopping else self._service.settings.drain_seconds
        self._service.is_stopping = True
        if wait:
            asyncio.get_running_loop().call_later(wait, self._exit)
        else:
            self._exit()

    def _exit(self) -> None:
        if not self.should_exit:
            seconds = self._service.settings.stop_seconds
            asyncio.get_running_loop().call_later(seconds, self._service.abort_open_requests)
            end_process_after(seconds + GRACE + 2)
        self.should_exit = True  # and nothing else: uvicorn would raise the signal again at the end


def serve(service: Service, *, on_started: Callable[[str], None] = lambda _: None) -> None:
    """Serve until a signal arrives. Accepted requests are still answered."""
    settings = service.settings
    sys.setswitchinterval(SWITCH_INTERVAL)
    limit_heaps()
    trim_heaps_regularly(stopped := Event())
    limits = connection_limits(settings.connections)
    LimitedProtocol.timeout, LimitedProtocol.max_connections = settings.body_seconds, limits.connections
    LimitedProtocol.max_open = limits.connections + limits.backlog // 2
    LimitedProtocol.max_unsent = settings.held_bytes
    LimitedProtocol.on_refused = staticmethod(lambda status: service.metrics.record_request(OTHER, status, 0.0))
    Server(uvicorn_config(service, backlog=limits.backlog), service, on_started).run()
    stopped.set()
    service.request_log.write()
    if service.busy:  # a thread in native code would block the interpreter, or crash it at exit
        end_process(0)


def uvicorn_config(service: Service, *, backlog: int) -> uvicorn.Config:
    """Return the uvicorn configuration."""
    settings = service.settings
    return uvicorn.Config(
        create_app(service),
        host=settings.host,
        port=settings.port,
        http=LimitedProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # X-Forwarded-* headers of clients are not trusted
        timeout_keep_alive=settings.idle_seconds,
        timeout_graceful_shutdown=settings.stop_seconds + GRACE,
        backlog=backlog,
    )


def end_process_after(seconds: float) -> None:
    """End the process after a delay, whatever still runs in it."""
    timer = Timer(seconds, end_process, [0])
    timer.daemon = True
    timer.start()


def end_process(code: int) -> None:
    """End the process now, with its logs flushed."""
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
