"""Calls the handlers of the most frequent requests directly, without the router and middleware of FastAPI."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from heedful.errors import HeedfulError
from heedful.serve.http.errors import NOT_HANDLED, Refused

Handler = Callable[[Request], Awaitable[Response]]
ErrorHandler = Callable[[Request, BaseException], Awaitable[Response]]


class FastPath:
    """ASGI middleware with POST handlers by path; other requests go to the app."""

    def __init__(self, app: ASGIApp, handlers: Mapping[str, Handler], on_error: ErrorHandler) -> None:
        self._app, self._on_error = app, on_error
        self._routes = {path: (handler, Route(path, handler, methods=["POST"])) for path, handler in handlers.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        entry = self._routes.get(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if entry is None:
            await self._app(scope, receive, send)
            return
        handler, scope["route"] = entry  # the route is for the metrics
        request = Request(scope, receive)
        try:
            response = await handler(request)
        except Refused as error:
            response = error.response()
        except HeedfulError as error:
            response = Refused(400, str(error)).response()
        except NOT_HANDLED:
            raise
        except BaseException as error:  # native code raises outside of Exception, too
            response = await self._on_error(request, error)
        await response(scope, receive, send)
