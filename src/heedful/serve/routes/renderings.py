"""Answers as pictures and pages: the same that the command line writes."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from heedful.serve.http.errors import Refused
from heedful.show.kit.html import document

PAGE_POLICY = f"{document.POLICY}; frame-ancestors 'none'"
KINDS = {"svg": "image/svg+xml", "png": "image/png", "html": "text/html; charset=utf-8"}


def pictured(found: Any, form: str) -> Response:
    """Return an explanation, a similarity or steps in another form than JSON."""
    draw = getattr(found, f"to_{form}", None)
    if draw is None:
        raise Refused(400, f"There is no {form} of this: ask for json or html.", param="form")
    headers = {"Content-Security-Policy": PAGE_POLICY}
    return Response(draw(), media_type=KINDS[form], headers=headers)
