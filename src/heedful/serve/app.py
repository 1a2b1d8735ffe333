"""The app: routes, errors in one form, and what starts and ends with it."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from importlib.metadata import version

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp

from heedful.errors import HeedfulError
from heedful.serve.http.errors import Refused
from heedful.serve.http.fast_path import Lane
from heedful.serve.http.middleware import Guard
from heedful.serve.http.unexpected_errors import OneFault
from heedful.serve.routes import health as about
from heedful.serve.routes import openai as embeddings
from heedful.serve.routes import predictions as answers
from heedful.serve.routes import search as finding
from heedful.serve.routes import static as page
from heedful.serve.routes.openapi import ABOUT
from heedful.serve.service import Service

log = logging.getLogger("heedful.serve")


def create_app(service: Service) -> ASGIApp:
    """Return the ASGI app of a service."""
    app = FastAPI(
        title="heedful",
        version=version("heedful"),
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_life(service),
    )
    asked_most = embeddings.routes(service)
    for router in (asked_most, *(module.routes(service) for module in (answers, finding, about)), page.routes()):
        app.include_router(router)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(HeedfulError, _at_fault)
    app.add_exception_handler(RequestValidationError, _not_fitting)
    app.add_exception_handler(HTTPException, _no_route)
    app.add_middleware(OneFault, broken=_broken)
    posts = {
        each.path: each.endpoint
        for each in asked_most.routes
        if isinstance(each, APIRoute) and "POST" in (each.methods or ())
    }
    guarded: ASGIApp = Guard(Lane(app, posts, _broken), service)
    if service.settings.origins:
        guarded = CORSMiddleware(
            guarded,
            allow_origins=service.settings.origins,
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type"],
        )
    return guarded


def _life(service: Service) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        loop, tasks = asyncio.get_running_loop(), set()

        def reload() -> None:
            service.reload_soon()

        with suppress(NotImplementedError, RuntimeError, ValueError, AttributeError):  # not here, or not in this thread
            loop.add_signal_handler(signal.SIGHUP, reload)
        if service.settings.watch:
            tasks.add(loop.create_task(service.watch()))
        yield
        for task in tasks:
            task.cancel()
        service.close()

    return life


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return error.response()


async def _at_fault(_: Request, error: Exception) -> Response:
    return Refused(400, str(error)).response()


async def _not_fitting(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return Refused(400, f"{'.'.join(map(str, first['loc'][1:]))}: {first['msg']}").response()


async def _no_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return Refused(404, "There is no such path here: see /docs.", code="not_found").response()
    if error.status_code == 405:
        said = f"{request.method} does not go with this path: see /docs."
        return Refused(405, said, headers=error.headers).response()
    return Refused(error.status_code, str(error.detail)).response()


async def _broken(_: Request, error: BaseException) -> Response:
    log.error("a fault of ours", exc_info=error)
    return Refused(500, "This is a fault of the server's, not of yours; its log says where.").response()
