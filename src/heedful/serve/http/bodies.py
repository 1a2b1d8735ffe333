"""Requests as they come in and answers as they go out: bounded in size and time, given up when the client is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from heedful.serve.http.errors import Refused, not_fitting
from heedful.serve.http.json_bytes import json_bytes
from heedful.serve.settings import ServeSettings
from heedful.serve.threads import aside

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)
LARGE = 200_000  # bytes that are read as JSON beside the event loop, not in it
VALUES = 4  # for each text that may be sent: pairs, and fields that we do not know
STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+', re.DOTALL)
SOON = 0.05  # seconds after which we look whether the client is still there


async def asked(request: Request, form: type[M], settings: ServeSettings) -> M:
    """Return what was sent, as a form; refuses what is too large, too slow, or does not fit."""
    most, seconds = settings.max_bytes, settings.body_seconds
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        there = f"is {kind[:60]!r}" if kind else "has no type"
        said = f"The body {there}; expected JSON. Send the header Content-Type: application/json."
        raise Refused(415, said, code="not_json")
    if (packed := request.headers.get("content-encoding", "identity").lower()) != "identity":
        said = (
            f"The body is packed with {packed[:60]!r}, which is not taken. Send it as it is, without Content-Encoding."
        )
        raise Refused(415, said, code="not_json", headers={"Accept-Encoding": "identity"})
    try:
        async with asyncio.timeout(seconds):
            raw = await _body(request, most)
    except TimeoutError:
        said = f"The request did not come in within {seconds:g} s."
        raise Refused(408, said, headers={"Connection": "close"}) from None
    except ClientDisconnect:
        raise Refused(499, "The client is gone.") from None
    try:
        if len(raw) > LARGE:
            return await aside(_large, form, raw, settings.max_texts)
        return form.model_validate_json(raw)
    except ValidationError as error:
        raise not_fitting(error) from None


async def _body(request: Request, most: int) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise too_large(most)
        parts.append(part)
    return b"".join(parts)


def _large(form: type[M], raw: bytes, most: int) -> M:
    """Return a form, unless it is full of small values: read as JSON they would take a hundred times their bytes."""
    if count_commas(raw, most=VALUES * most) > VALUES * most:
        said = f"The request has more values than {most:,} texts have, and no more go into one. Send them in several."
        raise Refused(400, said, param="input", code="too_many_texts")
    return form.model_validate_json(raw)


def count_commas(raw: bytes, *, most: int) -> int:
    """Return how many commas stand between the values of JSON, and not in its texts; past `most`, some of them."""
    found = at = 0
    for string in STRING.finditer(raw):
        found += raw.count(b",", at, string.start())
        at = string.end()
        if found > most:
            return found
    return found + raw.count(b",", at)


def too_large(most: int) -> Refused:
    """Return the refusal of a body that is too large."""
    said = f"The request is larger than {most / 1e6:g} MB. Send it in parts."
    return Refused(413, said, code="too_large", headers={"Connection": "close"})


async def while_there(request: Request, work: Awaitable[T], *, seconds: float) -> T:
    """Return what the work gives; when the client goes away first, or it takes too long, the work is cancelled."""
    task, loop = asyncio.ensure_future(work), asyncio.get_running_loop()
    is_late = False

    def end() -> None:
        nonlocal is_late
        is_late = True
        task.cancel()

    late = loop.call_later(seconds, end)
    watching: list[asyncio.Task[None]] = []  # of work that takes long; the rest is done before it is worth a look
    soon = loop.call_later(SOON, lambda: watching.append(loop.create_task(_watch(request, task))))
    try:
        return await task
    except asyncio.CancelledError:
        if watching and watching[0].done():
            raise Refused(499, "The client is gone.") from None
        if is_late and not _is_cancelled():
            said = f"There was no answer within {seconds:g} s. Send less in one request, or try again later."
            raise Refused(504, said, code="deadline_exceeded") from None
        raise
    finally:
        soon.cancel()
        late.cancel()
        for each in (*watching, task):
            each.cancel()


def _is_cancelled() -> bool:
    """Return whether the request itself is cancelled, and not only the work for it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _watch(request: Request, task: asyncio.Future[Any]) -> None:
    """Cancel the work when the client is gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    task.cancel()


def answer(value: Any) -> Response:
    """Return plain values, and arrays, as JSON."""
    return Response(json_bytes(value), media_type="application/json")
