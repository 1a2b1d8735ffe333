"""What stands before the app: keys, sizes, headers, a line in the log for each request."""

from __future__ import annotations

import asyncio
import hmac
import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heedful.serve.http.bodies import too_large
from heedful.serve.http.errors import Busy, Refused, stopping
from heedful.serve.http.hosts import Hosts
from heedful.serve.service import Service

OPEN = ("/", "/health", "/ready")  # without a key; the page's own files as well
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),  # where a page says nothing itself
    (b"cache-control", b"no-store"),
]
SMALL = 65_536  # bytes of a request for which room is kept, however much large ones hold
OTHER = "other"  # all paths that are not ours, in the counts: there is no end to them
log = logging.getLogger("heedful.requests")


class Guard:
    """An ASGI app around the app."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app, self._service = app, service
        self._hosts = Hosts(service.settings.host, service.settings.allowed_hosts)
        self._held = 0  # bytes of requests that are not answered yet
        service.counts.held.set_function(lambda: self._held)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status, held = time.perf_counter(), 500, 0
        method = scope["method"]
        if method == "HEAD":  # as GET; the server sends no body
            scope = {**scope, "method": "GET"}

        async def receiving() -> Message:
            nonlocal held
            message = await receive()
            size = len(message.get("body", b""))
            held += size
            self._held += size
            most = self._service.settings.held_bytes * (1.0 if held > SMALL else 1.25)
            if self._held > most and self._held > held:
                raise Busy(1)
            return message

        is_started = False

        async def sending(message: Message) -> None:
            nonlocal status, is_started
            if message["type"] == "http.response.start":
                status, is_started = message["status"], True
                there = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(each for each in HEADERS if each[0] not in there)]
            await send(message)

        self._service.open += 1
        task = asyncio.current_task()
        if task is not None:
            self._service.tasks.add(task)
        try:
            refused = self._refused(scope)
            if refused is not None:
                await refused.response()(scope, receive, sending)
            else:
                await self._app(scope, receiving, sending)
        except asyncio.CancelledError:
            if is_started or not self._service.is_cut_off:
                raise
            await stopping().response()(scope, receive, sending)
        finally:
            self._service.open -= 1
            if task is not None:
                self._service.tasks.discard(task)
            self._held -= held
            self._told(method, scope, status, time.perf_counter() - started)

    def _refused(self, scope: Scope) -> Refused | None:
        headers = dict(scope["headers"])
        path = scope["path"]
        if (refused := self._hosts.refused(scope, headers.get(b"host"))) is not None:
            return refused
        if self._service.keys and path not in OPEN and not path.startswith("/ui/") and scope["method"] != "OPTIONS":
            scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
            if scheme.lower() != b"bearer" or not self._is_known(given.strip()):
                said = "A key is needed: send the header Authorization: Bearer KEY."
                return Refused(401, said, code="invalid_api_key", headers={"WWW-Authenticate": "Bearer"})
        size = headers.get(b"content-length", b"0")
        if not size.isdigit() or int(size) > self._service.settings.max_bytes:
            return too_large(self._service.settings.max_bytes)
        return None

    def _is_known(self, given: bytes) -> bool:
        """Compare with every key, in a time that says nothing of how much of it was right."""
        found = [hmac.compare_digest(given, key) for key in self._service.keys]
        return any(found)

    def _told(self, method: str, scope: Scope, status: int, seconds: float) -> None:
        path = getattr(scope.get("route"), "path", OTHER)
        self._service.counts.request(path, status, seconds)
        if log.isEnabledFor(logging.INFO):
            said = {
                "event": "request",
                "method": method,
                "path": path,
                "status": status,
                "ms": round(seconds * 1000, 2),
            }
            self._service.lines.add(said)
