"""uvicorn around the app: where to listen, how to stop, how long to wait for slow clients."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn

from heedful.serve.app import create_app
from heedful.serve.connection import PatientProtocol
from heedful.serve.guard import OTHER
from heedful.serve.service import Service

BACKLOG = 4096  # connections that wait to be taken: whoever is one too many is told so, and not left without a word
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
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            self._told(f"http://{f'[{host}]' if ':' in host else host}:{port}")

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
        self.should_exit = True  # and no more: uvicorn would raise the signal once again when all is done


def serve(service: Service, *, started: Callable[[str], None] = lambda _: None) -> None:
    """Serve until told to stop. What was accepted is answered."""
    settings = service.settings
    sys.setswitchinterval(SWITCH)
    PatientProtocol.patience, PatientProtocol.most = settings.body_seconds, settings.connections
    PatientProtocol.most_unread = settings.held_bytes
    PatientProtocol.refused = staticmethod(lambda status: service.counts.request(OTHER, status, 0.0))
    config = uvicorn.Config(
        create_app(service),
        host=settings.host,
        port=settings.port,
        http=PatientProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # nothing here asks who the client is
        timeout_keep_alive=settings.idle_seconds,
        timeout_graceful_shutdown=settings.stop_seconds,
        backlog=BACKLOG,
    )
    Server(config, service, started).run()
