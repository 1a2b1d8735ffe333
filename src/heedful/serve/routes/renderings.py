"""Responses as pictures and pages, the same as those of the command line."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from heedful.serve.http.errors import Refused
from heedful.show.kit.html import document

PAGE_POLICY = f"{document.POLICY}; frame-ancestors 'none'"
MEDIA_TYPES = {"svg": "image/svg+xml", "png": "image/png", "html": "text/html; charset=utf-8"}


def render(result: Any, form: str) -> Response:
    """Return an explanation, a similarity or steps as svg, png or html."""
    draw = getattr(result, f"to_{form}", None)
    if draw is None:
        raise Refused(400, f"{form} is not available for this result: use json or html.", param="form")
    headers = {"Content-Security-Policy": PAGE_POLICY}
    return Response(draw(), media_type=MEDIA_TYPES[form], headers=headers)
