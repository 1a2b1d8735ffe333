"""The ASGI app: routes, exception handlers, middleware, startup and shutdown."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute, APIRouter
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp

from heedful import __version__
from heedful.errors import HeedfulError
from heedful.serve.http.errors import Refused
from heedful.serve.http.fast_path import FastPath, Handler
from heedful.serve.http.middleware import AdmissionMiddleware
from heedful.serve.http.unexpected_errors import UnexpectedErrorMiddleware
from heedful.serve.routes import health, inference, openai, predictions, rerank, search, static
from heedful.serve.routes.openapi import API_DESCRIPTION
from heedful.serve.service import Service

log = logging.getLogger("heedful.serve")


def create_app(service: Service) -> ASGIApp:
    """Return the ASGI app of a service."""
    app = FastAPI(
        title="heedful",
        version=__version__,
        description=API_DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan(service),
    )
    openai_router = openai.routes(service)
    other_routers = (module.routes(service) for module in (predictions, search, rerank, inference, health))
    for router in (openai_router, *other_routers, static.routes()):
        app.include_router(router)
    app.add_exception_handler(Refused, _on_refused)
    app.add_exception_handler(HeedfulError, _on_heedful_error)
    app.add_exception_handler(RequestValidationError, _on_validation_error)
    app.add_exception_handler(HTTPException, _on_http_exception)
    app.add_middleware(UnexpectedErrorMiddleware, on_error=_on_unexpected_error)
    fast_path = FastPath(app, _post_handlers(openai_router), _on_unexpected_error)
    admission: ASGIApp = AdmissionMiddleware(fast_path, service)
    if not service.settings.origins:
        return admission
    return CORSMiddleware(
        admission,
        allow_origins=service.settings.origins,
        allow_methods=["GET", "POST"],
        allow_headers=["authorization", "content-type"],
    )


def _post_handlers(router: APIRouter) -> dict[str, Handler]:
    """Return path → handler of the POST routes of a router."""
    routes = [route for route in router.routes if isinstance(route, APIRoute)]
    return {route.path: route.endpoint for route in routes if "POST" in (route.methods or ())}


def _lifespan(service: Service) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        loop, tasks = asyncio.get_running_loop(), set()
        with suppress(NotImplementedError, RuntimeError, ValueError, AttributeError):  # other systems, other threads
            loop.add_signal_handler(signal.SIGHUP, service.schedule_reload)
        if service.settings.watch:
            tasks.add(loop.create_task(service.watch()))
        yield
        for task in tasks:
            task.cancel()
        service.close()

    return lifespan


async def _on_refused(_: Request, error: Exception) -> Response:
    return cast("Refused", error).response()


async def _on_heedful_error(_: Request, error: Exception) -> Response:
    return Refused(400, str(error)).response()


async def _on_validation_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return Refused(400, f"{'.'.join(map(str, first['loc'][1:]))}: {first['msg']}").response()


async def _on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return Refused(404, "There is no such path: see /docs.", code="not_found").response()
    if error.status_code == 405:
        message = f"This path does not support {request.method}: see /docs."
        return Refused(405, message, headers=error.headers).response()
    return Refused(error.status_code, str(error.detail)).response()


async def _on_unexpected_error(_: Request, error: BaseException) -> Response:
    log.error("unexpected error", exc_info=error)
    return Refused(500, "Internal server error: see the log of the server.").response()
