"""A fault of ours is logged once and answered in the one form, whatever raised it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heedful.serve.http.errors import PASSED_ON
from heedful.serve.http.fast_path import Broken


class OneFault:
    """An ASGI app around the routes. Starlette's own handler would raise the fault again, for uvicorn to log it too."""

    def __init__(self, app: ASGIApp, broken: Broken) -> None:
        self._app, self._broken = app, broken

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        is_started = False

        async def sending(message: Message) -> None:
            nonlocal is_started
            is_started = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except PASSED_ON:
            raise
        except BaseException as error:  # native code raises outside of Exception, too
            if scope["type"] != "http":
                raise
            response = await self._broken(Request(scope), error)
            if not is_started:
                await response(scope, receive, send)
