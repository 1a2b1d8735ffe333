"""/search and /indexes: texts by meaning, where an index is served."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from heedful.errors import did_you_mean
from heedful.serve.http.bodies import answer, asked
from heedful.serve.http.errors import Refused
from heedful.serve.routes.openapi import takes
from heedful.serve.routes.requests import SearchAsked
from heedful.serve.service import Service

if TYPE_CHECKING:
    from heedful.search.index import Index

LONGEST = 10_000  # characters of a query


def routes(service: Service) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["search"])

    @router.get("/indexes", **takes())
    async def indexes(request: Request) -> Response:
        """The indexes that can be searched, with their columns."""
        found = await service.call(request, lambda: [_described(*each) for each in service.indexes.items()])
        return answer({"data": found})

    @router.post("/search", **takes(SearchAsked))
    async def search(request: Request) -> Response:
        """Texts nearest in meaning to the query, and the pairs of words that made each a hit."""
        form = await asked(request, SearchAsked, service.settings)
        if len(form.query) > LONGEST:
            said = f"The query has {len(form.query):,} characters; at most {LONGEST:,} are taken."
            raise Refused(400, said, param="query")
        name, index = _found(service, form.index)
        about = {"index": name, "model": Path(index.about.model).name}
        return await service.call(request, lambda: answer({**about, "data": _hits(index, form)}))

    return router


def _found(service: Service, name: str | None) -> tuple[str, Index]:
    known = service.indexes
    if not known:
        raise Refused(404, "No index is served here. Start with: heedful serve MODEL --index FOLDER", param="index")
    name = next(iter(known)) if name is None else name
    if name not in known:
        said = f"There is no index {name[:80]!r} here.{did_you_mean(name, known)} There are: {', '.join(known)}."
        raise Refused(404, said, param="index")
    return name, known[name]


def _hits(index: Index, form: SearchAsked) -> list[dict[str, Any]]:
    from heedful.search.terminal import words_of

    hits = index.search(form.query, form.n, where=form.where)
    why = index.explain(form.query, hits) if form.words and hits else []
    return [{**hit.to_dict(), **({"words": words_of(why[i])} if why else {})} for i, hit in enumerate(hits)]


def _described(name: str, index: Index) -> dict[str, Any]:
    return {"id": name, "rows": index.count(), "columns": index.columns, "model": Path(index.about.model).name}
