"""The short way for what is asked most: straight to its handler, past the layers that find a route for a request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from heedful.errors import HeedfulError
from heedful.serve.http.errors import PASSED_ON, Refused

Handler = Callable[[Request], Awaitable[Response]]
Broken = Callable[[Request, BaseException], Awaitable[Response]]


class Lane:
    """An ASGI app before the app, with handlers of the app's by path; all else is passed on."""

    def __init__(self, app: ASGIApp, posts: Mapping[str, Handler], broken: Broken) -> None:
        self._app, self._broken = app, broken
        self._posts = {path: (handler, Route(path, handler, methods=["POST"])) for path, handler in posts.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        found = self._posts.get(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if found is None:
            await self._app(scope, receive, send)
            return
        handler, scope["route"] = found  # the route is for the counts
        request = Request(scope, receive)
        try:
            response = await handler(request)
        except Refused as error:
            response = error.response()
        except HeedfulError as error:
            response = Refused(400, str(error)).response()
        except PASSED_ON:
            raise
        except BaseException as error:  # native code raises outside of Exception, too
            response = await self._broken(request, error)
        await response(scope, receive, send)
