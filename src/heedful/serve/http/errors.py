"""Errors of requests, in the format of the OpenAI API."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import orjson
from pydantic import ValidationError
from starlette.responses import Response

TYPES = {401: "authentication_error", 429: "rate_limit_error"}
MAX_MESSAGE = 500  # characters
NOT_HANDLED = (asyncio.CancelledError, KeyboardInterrupt, SystemExit, GeneratorExit)  # not errors of a request


class Refused(Exception):  # noqa: N818  most are errors of the client
    """A refused request: a status, and a message that says what is wrong and what to do."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.param, self.code = status, message, param, code
        self.headers = dict(headers or {})

    def body(self) -> bytes:
        """Return the error as JSON."""
        kind = TYPES.get(self.status, "server_error" if self.status >= 500 else "invalid_request_error")
        message = self.message[:MAX_MESSAGE].encode("utf-8", "replace").decode()  # a lone surrogate becomes ?
        error = {"message": message, "type": kind, "param": self.param, "code": self.code}
        return orjson.dumps({"error": error})

    def response(self) -> Response:
        """Return the error as a response."""
        return Response(self.body(), self.status, self.headers, media_type="application/json")


def invalid_request(error: ValidationError) -> Refused:
    """Return a refusal with the first validation error, without the content of the request."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    problem = first["msg"].removeprefix("Value error, ")
    if first["type"] == "json_invalid":
        return Refused(400, f"The body is not JSON: {problem.removeprefix('Invalid JSON: ')}.", code="not_json")
    message = f"{place}: {problem}" if place else problem
    return Refused(400, message[0].upper() + message[1:] if not place else message, param=place or None)


def stopping() -> Refused:
    """Return the refusal of a server that is shutting down."""
    return Refused(503, "The server is stopping.", code="stopping", headers={"Connection": "close"})


class Busy(Refused):
    """The queue is full."""

    def __init__(self, seconds: float) -> None:
        wait = max(1, round(seconds + 0.5))
        super().__init__(
            429,
            f"The server is overloaded. Try again in {wait} s (see Retry-After).",
            code="queue_full",
            headers={"Retry-After": str(wait)},
        )
