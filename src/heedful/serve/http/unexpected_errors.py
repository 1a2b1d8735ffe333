"""Logs an unexpected error once and answers 500 in the common error format."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heedful.serve.http.errors import NOT_HANDLED
from heedful.serve.http.fast_path import ErrorHandler


class UnexpectedErrorMiddleware:
    """ASGI middleware around the routes. Starlette's own raises the error again, and uvicorn would log it twice."""

    def __init__(self, app: ASGIApp, on_error: ErrorHandler) -> None:
        self._app, self._on_error = app, on_error

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        has_started = False

        async def send_and_note(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        except NOT_HANDLED:
            raise
        except BaseException as error:  # native code raises outside of Exception, too
            if scope["type"] != "http":
                raise
            response = await self._on_error(Request(scope), error)
            if not has_started:
                await response(scope, receive, send)
