"""uvicorn around the app: where to listen, how to stop, how long to wait for slow clients."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from heedful.serve.app import create_app
from heedful.serve.service import Service


class PatientProtocol(HttpToolsProtocol):
    """Closes a connection whose request does not come in: uvicorn by itself would wait for ever for a first line."""

    patience = 20.0

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the headers."""
        super().connection_made(transport)
        self._late: asyncio.TimerHandle | None = self.loop.call_later(self.patience, self._give_up)

    def on_message_begin(self) -> None:
        """Begin to wait for the headers of the next request."""
        super().on_message_begin()
        self._forget()
        self._late = self.loop.call_later(self.patience, self._give_up)

    def on_headers_complete(self) -> None:
        """Stop waiting."""
        self._forget()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._forget()
        super().connection_lost(exc)

    def _forget(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.abort()


class Server(uvicorn.Server):
    """Says that it is stopping before it stops."""

    def __init__(self, config: uvicorn.Config, service: Service, started: Callable[[str], None]) -> None:
        super().__init__(config)
        self._service, self._told = service, started

    async def startup(self, sockets: Any = None) -> None:
        """Listen, and say where."""
        await super().startup(sockets)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            self._told(f"http://{f'[{host}]' if ':' in host else host}:{port}")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Say no at /ready, wait for balancers to hear of it, then stop; a second signal stops at once."""
        wait = self._service.settings.drain_seconds
        if self._service.is_stopping or not wait:
            self._service.is_stopping = True
            super().handle_exit(sig, frame)
            return
        self._service.is_stopping = True
        asyncio.get_running_loop().call_later(wait, super().handle_exit, sig, frame)


def serve(service: Service, *, started: Callable[[str], None] = lambda _: None) -> None:
    """Serve until told to stop. What was accepted is answered."""
    settings = service.settings
    PatientProtocol.patience = settings.body_seconds
    config = uvicorn.Config(
        create_app(service),
        host=settings.host,
        port=settings.port,
        http=PatientProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=settings.idle_seconds,
        timeout_graceful_shutdown=settings.stop_seconds,
        limit_concurrency=settings.connections,
        backlog=min(settings.connections, 2048),
    )
    Server(config, service, started).run()
