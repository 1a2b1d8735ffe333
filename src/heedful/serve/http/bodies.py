"""Reads request bodies and writes JSON responses, with limits on size and time; cancels work of absent clients."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from heedful.serve.http.errors import Refused, invalid_request
from heedful.serve.http.json_bytes import json_bytes
from heedful.serve.settings import ServeSettings
from heedful.serve.threads import run_off_loop

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)
LARGE_BODY = 200_000  # bytes; larger bodies are parsed outside the event loop
VALUES_PER_TEXT = 4  # that a body may have: pairs, and unknown fields
STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+', re.DOTALL)
WATCH_AFTER = 0.05  # seconds of work after which a disconnect is watched for


async def read_request(request: Request, schema: type[M], settings: ServeSettings) -> M:
    """Return the validated body of a request; refuse a body that is too large, too slow or invalid."""
    _check_headers(request)
    try:
        async with asyncio.timeout(settings.body_seconds):
            raw = await _read_body(request, settings.max_bytes)
    except TimeoutError:
        message = f"The request did not arrive within {settings.body_seconds:g} s."
        raise Refused(408, message, headers={"Connection": "close"}) from None
    except ClientDisconnect:
        raise Refused(499, "The client has disconnected.") from None
    try:
        if len(raw) > LARGE_BODY:
            return await run_off_loop(_parse_large, schema, raw, settings.max_texts)
        return schema.model_validate_json(raw)
    except ValidationError as error:
        raise invalid_request(error) from None


def _check_headers(request: Request) -> None:
    """Refuse a body that is not plain JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        actual = f"is {kind[:60]!r}" if kind else "is missing"
        message = f"The content type {actual}; expected JSON. Send the header Content-Type: application/json."
        raise Refused(415, message, code="not_json")
    encoding = request.headers.get("content-encoding", "identity").lower()
    if encoding != "identity":
        message = f"Content encoding {encoding[:60]!r} is not supported. Send the body without Content-Encoding."
        raise Refused(415, message, code="not_json", headers={"Accept-Encoding": "identity"})


async def _read_body(request: Request, max_bytes: int) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > max_bytes:
            raise body_too_large(max_bytes)
        parts.append(part)
    return b"".join(parts)


def _parse_large(schema: type[M], raw: bytes, max_texts: int) -> M:
    """Return a validated body, unless it has too many values: parsed, small ones take a hundred times their bytes."""
    limit = VALUES_PER_TEXT * max_texts
    if count_commas(raw, limit=limit) > limit:
        message = f"The request has too many values; send at most {max_texts:,} texts in one request."
        raise Refused(400, message, param="input", code="too_many_texts")
    return schema.model_validate_json(raw)


def count_commas(raw: bytes, *, limit: int) -> int:
    """Return the number of commas outside of JSON strings; counting may stop once it exceeds `limit`."""
    commas = at = 0
    for string in STRING.finditer(raw):
        commas += raw.count(b",", at, string.start())
        at = string.end()
        if commas > limit:
            return commas
    return commas + raw.count(b",", at)


def body_too_large(max_bytes: int) -> Refused:
    """Return the refusal of a body that is too large."""
    message = f"The request is larger than {max_bytes / 1e6:g} MB. Send it in parts."
    return Refused(413, message, code="too_large", headers={"Connection": "close"})


async def run_for_client(request: Request, work: Awaitable[T], *, seconds: float) -> T:
    """Return the result of the work; cancel it if the client disconnects or it takes too long."""
    task, loop = asyncio.ensure_future(work), asyncio.get_running_loop()
    is_late = False

    def on_deadline() -> None:
        nonlocal is_late
        is_late = True
        task.cancel()

    deadline = loop.call_later(seconds, on_deadline)
    watchers: list[asyncio.Task[None]] = []  # started for long work only: most is done before
    watch_timer = loop.call_later(
        WATCH_AFTER, lambda: watchers.append(loop.create_task(_watch_disconnect(request, task)))
    )
    try:
        return await task
    except asyncio.CancelledError:
        if watchers and watchers[0].done():
            raise Refused(499, "The client has disconnected.") from None
        if is_late and not _is_cancelled():
            message = f"No result within {seconds:g} s. Send less in one request, or try again later."
            raise Refused(504, message, code="deadline_exceeded") from None
        raise
    finally:
        watch_timer.cancel()
        deadline.cancel()
        for pending in (*watchers, task):
            pending.cancel()


def _is_cancelled() -> bool:
    """Return whether the request itself is cancelled, not only its work."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _watch_disconnect(request: Request, task: asyncio.Future[Any]) -> None:
    """Cancel the work once the client disconnects."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    task.cancel()


def json_response(value: Any) -> Response:
    """Return plain values and arrays as a JSON response."""
    return Response(json_bytes(value), media_type="application/json")
