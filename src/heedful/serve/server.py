"""uvicorn around the app: where to listen, how to stop, how long to wait for slow clients."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Timer
from types import FrameType
from typing import Any

import uvicorn

from heedful.serve.app import create_app
from heedful.serve.http.file_limit import room_for
from heedful.serve.http.middleware import OTHER
from heedful.serve.http.protocol import PatientProtocol
from heedful.serve.service import Service

ACCEPTED_AT_ONCE = 16  # connections in one turn of the event loop
GRACE = 1  # seconds for the last answers to go out
SWITCH = 0.00005  # seconds until a thread lets others have Python; an explanation would keep batches waiting for 0.005


class Server(uvicorn.Server):
    """Says that it is stopping before it stops."""

    def __init__(self, config: uvicorn.Config, service: Service, started: Callable[[str], None]) -> None:
        super().__init__(config)
        self._service, self._told = service, started

    async def startup(self, sockets: Any = None) -> None:
        """Listen, and say where."""
        await super().startup(sockets)
        if self.started:
            await self._accept_faster()
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            self._told(f"http://{f'[{host}]' if ':' in host else host}:{port}")

    async def _accept_faster(self) -> None:
        """Listen at further descriptors of the same sockets.

        libuv accepts one connection for each descriptor in a turn of the event loop. Under load a turn takes 10 ms, and
        clients would wait for seconds to be accepted.
        """
        loop = asyncio.get_running_loop()

        def protocol() -> asyncio.Protocol:
            return PatientProtocol(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

        if type(loop).__module__.partition(".")[0] != "uvloop":
            return  # asyncio accepts all that wait
        for listener in [listener for server in self.servers for listener in server.sockets]:
            for _ in range(ACCEPTED_AT_ONCE - 1):
                copy = socket.socket(fileno=os.dup(listener.fileno()))
                self.servers.append(await loop.create_server(protocol, sock=copy, backlog=self.config.backlog))

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002  as signals are handled
        """Say no at /ready, wait for balancers to hear of it, then stop; a second signal stops at once."""
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
            asyncio.get_running_loop().call_later(seconds, self._service.cut_off)
            end_process_after(seconds + GRACE + 2)
        self.should_exit = True  # and no more: uvicorn would raise the signal once again when all is done


def serve(service: Service, *, started: Callable[[str], None] = lambda _: None) -> None:
    """Serve until told to stop. What was accepted is answered."""
    settings = service.settings
    sys.setswitchinterval(SWITCH)
    room = room_for(settings.connections)
    PatientProtocol.patience, PatientProtocol.most = settings.body_seconds, room.connections
    PatientProtocol.most_open = room.connections + room.backlog // 2
    PatientProtocol.most_unread = settings.held_bytes
    PatientProtocol.refused = staticmethod(lambda status: service.counts.request(OTHER, status, 0.0))
    Server(uvicorn_config(service, backlog=room.backlog), service, started).run()
    service.lines.write()
    if service.busy:  # a thread in native code would hold the interpreter up, or crash it on its way out
        end_process(0)


def uvicorn_config(service: Service, *, backlog: int) -> uvicorn.Config:
    """Return how uvicorn runs the app."""
    settings = service.settings
    return uvicorn.Config(
        create_app(service),
        host=settings.host,
        port=settings.port,
        http=PatientProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # what clients say of themselves is not trusted
        timeout_keep_alive=settings.idle_seconds,
        timeout_graceful_shutdown=settings.stop_seconds + GRACE,
        backlog=backlog,
    )


def end_process_after(seconds: float) -> None:
    """End the process after a while, whatever still runs in it."""
    timer = Timer(seconds, end_process, [0])
    timer.daemon = True
    timer.start()


def end_process(code: int) -> None:
    """End the process now. What was logged is written."""
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
