"""The page at / and its files: read once, served from memory. No path of a request ever reaches the disk."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from heedful.serve.http.errors import Refused

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class File(NamedTuple):
    """A file of the page."""

    content: bytes
    kind: str
    mark: str  # changes with the content, so that browsers ask only whether it is the same


@cache
def page_files() -> dict[str, File]:
    """Return the files of the page by their path in ui/, such as `lib/dom.js`."""
    return dict(_files(files("heedful.serve") / "ui", ""))


def _files(folder: Traversable, prefix: str) -> Iterator[tuple[str, File]]:
    for entry in folder.iterdir():
        kind = KINDS.get("." + entry.name.rpartition(".")[2])
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/")
        elif kind is not None:
            content = entry.read_bytes()
            yield prefix + entry.name, File(content, kind, f'"{hashlib.sha256(content).hexdigest()[:16]}"')


def routes() -> APIRouter:
    """Return the routes."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    async def index(request: Request) -> Response:
        return _response(request, "index.html")

    @router.get("/ui/{path:path}")
    async def file(request: Request, path: str) -> Response:
        return _response(request, path)

    return router


def _response(request: Request, path: str) -> Response:
    file = page_files().get(path)
    if file is None:
        raise Refused(404, "There is no such file.")
    headers = {"ETag": file.mark, "Cache-Control": "no-cache", "Content-Security-Policy": POLICY}
    if request.headers.get("if-none-match") == file.mark:
        return Response(status_code=304, headers=headers)
    return Response(file.content, media_type=file.kind, headers=headers)
