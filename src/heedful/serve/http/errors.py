"""What goes wrong with a request, in the one form that all errors have (OpenAI's)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import orjson
from pydantic import ValidationError
from starlette.responses import Response

TYPES = {401: "authentication_error", 429: "rate_limit_error"}
LONGEST = 500  # characters of a message
PASSED_ON = (asyncio.CancelledError, KeyboardInterrupt, SystemExit, GeneratorExit)  # no faults of a request


class Refused(Exception):  # noqa: N818  most of them are faults of the request
    """A request that is not answered: the status, what is wrong and what to do about it."""

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
        message = self.message[:LONGEST].encode("utf-8", "replace").decode()  # half a pair of surrogates becomes ?
        said = {"message": message, "type": kind, "param": self.param, "code": self.code}
        return orjson.dumps({"error": said})

    def response(self) -> Response:
        """Return the error as an answer."""
        return Response(self.body(), self.status, self.headers, media_type="application/json")


def not_fitting(error: ValidationError) -> Refused:
    """Return what does not fit in a request, without a word of what was in it."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    said = first["msg"].removeprefix("Value error, ")
    if first["type"] == "json_invalid":
        return Refused(400, f"The body is not JSON: {said.removeprefix('Invalid JSON: ')}.", code="not_json")
    message = f"{place}: {said}" if place else said
    return Refused(400, message[0].upper() + message[1:] if not place else message, param=place or None)


def stopping() -> Refused:
    """Return the last answer of a server that stops."""
    return Refused(503, "The server is stopping.", code="stopping", headers={"Connection": "close"})


class Busy(Refused):
    """More waits than the queue may hold."""

    def __init__(self, seconds: float) -> None:
        wait = max(1, round(seconds + 0.5))
        super().__init__(
            429,
            f"The server has more work than it can queue. Try again in {wait} s, as Retry-After says.",
            code="queue_full",
            headers={"Retry-After": str(wait)},
        )
