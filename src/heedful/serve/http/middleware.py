"""Admission: checks of host, key and size, memory limit, security headers, request log."""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heedful.serve.http.bodies import body_too_large
from heedful.serve.http.errors import Busy, Refused, stopping
from heedful.serve.http.hosts import HostCheck
from heedful.serve.service import Service

KEYLESS_PATHS = ("/", "/health", "/ready")  # and the files of the page
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),  # unless the route sets its own
    (b"cache-control", b"no-store"),
]
SMALL_BODY = 65_536  # bytes; memory is reserved for such requests
OTHER = "other"  # label of all unknown paths in the metrics, so that their number is bounded
log = logging.getLogger("heedful.requests")


@dataclass
class _Exchange:
    """One request and the state of its response."""

    method: str
    started: float = field(default_factory=time.perf_counter)
    status: int = 500
    has_started: bool = False
    held_bytes: int = 0


class AdmissionMiddleware:
    """ASGI middleware around the app."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app, self._service = app, service
        self._host_check = HostCheck(service.settings.host, service.settings.allowed_hosts)
        self._held_bytes = 0  # of requests not answered yet
        service.metrics.held_bytes.set_function(lambda: self._held_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope["method"])
        if exchange.method == "HEAD":  # handled as GET; uvicorn sends no body
            scope = {**scope, "method": "GET"}

        async def limited_receive() -> Message:
            message = await receive()
            self._hold(exchange, len(message.get("body", b"")))
            return message

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                exchange.status, exchange.has_started = message["status"], True
                present = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(header for header in HEADERS if header[0] not in present)]
            await send(message)

        self._service.open_requests += 1
        task = asyncio.current_task()
        if task is not None:
            self._service.tasks.add(task)
        try:
            refusal = self._refusal(scope)
            if refusal is not None:
                await refusal.response()(scope, receive, send_with_headers)
            else:
                await self._app(scope, limited_receive, send_with_headers)
        except asyncio.CancelledError:
            if exchange.has_started or not self._service.is_aborting:
                raise
            await stopping().response()(scope, receive, send_with_headers)
        finally:
            self._service.open_requests -= 1
            if task is not None:
                self._service.tasks.discard(task)
            self._held_bytes -= exchange.held_bytes
            self._record(exchange, getattr(scope.get("route"), "path", OTHER))

    def _hold(self, exchange: _Exchange, size: int) -> None:
        """Count bytes of a request; raise Busy if all requests together hold too many."""
        exchange.held_bytes += size
        self._held_bytes += size
        limit = self._service.settings.held_bytes * (1.0 if exchange.held_bytes > SMALL_BODY else 1.25)
        if self._held_bytes > limit and self._held_bytes > exchange.held_bytes:
            raise Busy(1)

    def _refusal(self, scope: Scope) -> Refused | None:
        headers = dict(scope["headers"])
        path = scope["path"]
        if (refusal := self._host_check.refusal(scope, headers.get(b"host"))) is not None:
            return refusal
        needs_key = path not in KEYLESS_PATHS and not path.startswith("/ui/") and scope["method"] != "OPTIONS"
        if self._service.keys and needs_key:
            scheme, _, key = headers.get(b"authorization", b"").partition(b" ")
            if scheme.lower() != b"bearer" or not self._is_valid(key.strip()):
                message = "A key is needed: send the header Authorization: Bearer KEY."
                return Refused(401, message, code="invalid_api_key", headers={"WWW-Authenticate": "Bearer"})
        size = headers.get(b"content-length", b"0")
        if not size.isdigit() or int(size) > self._service.settings.max_bytes:
            return body_too_large(self._service.settings.max_bytes)
        return None

    def _is_valid(self, key: bytes) -> bool:
        """Compare with every key, in constant time."""
        matches = [hmac.compare_digest(key, known) for known in self._service.keys]
        return any(matches)

    def _record(self, exchange: _Exchange, path: str) -> None:
        seconds = time.perf_counter() - exchange.started
        self._service.metrics.record_request(path, exchange.status, seconds)
        if log.isEnabledFor(logging.INFO):
            entry = {
                "event": "request",
                "method": exchange.method,
                "path": path,
                "status": exchange.status,
                "ms": round(seconds * 1000, 2),
            }
            self._service.request_log.add(entry)
