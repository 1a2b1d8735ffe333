"""/search and /indexes: search by words and by meaning."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from heedful.errors import did_you_mean
from heedful.serve.http.bodies import json_response, read_request
from heedful.serve.http.errors import Refused
from heedful.serve.routes.openapi import operation
from heedful.serve.routes.requests import SearchRequest
from heedful.serve.service import Service
from heedful.text.terms.mix import MIXES, By

if TYPE_CHECKING:
    from heedful.search.index import Index

MAX_QUERY = 10_000  # characters


def routes(service: Service) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["search"])

    @router.get("/indexes", **operation())
    async def indexes(request: Request) -> Response:
        """The indexes that can be searched, with their columns."""
        entries = await service.run_call(request, lambda: [_describe(*item) for item in service.indexes.items()])
        return json_response({"data": entries})

    @router.post("/search", **operation(SearchRequest))
    async def search(request: Request) -> Response:
        """The documents that fit the query best, with the two parts of their scores and the words behind each."""
        body = await read_request(request, SearchRequest, service.settings)
        if len(body.query) > MAX_QUERY:
            message = f"The query has {len(body.query):,} characters; the limit is {MAX_QUERY:,}."
            raise Refused(400, message, param="query")
        name, index = _find_index(service, body.index)

        def work() -> Response:
            by = index.ranked_by(body.by)
            source = {"index": name, "model": Path(index.about.model).name, "by": by}
            return json_response({**source, "data": _hits(index, body, by)})

        return await service.run_call(request, work)

    return router


def _find_index(service: Service, name: str | None) -> tuple[str, Index]:
    indexes = service.indexes
    if not indexes:
        message = "This server has no index. Start it with: heedful serve MODEL --index FOLDER"
        raise Refused(404, message, param="index")
    name = next(iter(indexes)) if name is None else name
    if name not in indexes:
        names = ", ".join(indexes)
        message = f"There is no index {name[:80]!r} here.{did_you_mean(name, indexes)} Available: {names}."
        raise Refused(404, message, param="index")
    return name, indexes[name]


def _hits(index: Index, body: SearchRequest, by: By) -> list[dict[str, Any]]:
    from heedful.search.terminal import words_of

    hits = index.search(body.query, body.n, where=body.where, by=by)
    weight = MIXES[by].meaning
    explanations = index.explain(body.query, hits) if body.words and hits and weight > 0 else []
    words = [{"words": words_of(each, weight=weight)} for each in explanations] or [{} for _ in hits]
    return [{**hit.to_dict(), **pairs} for hit, pairs in zip(hits, words, strict=True)]


def _describe(name: str, index: Index) -> dict[str, Any]:
    model = Path(index.about.model).name
    has_words = index.about.has_words
    return {"id": name, "rows": index.count(), "columns": index.columns, "model": model, "has_words": has_words}
