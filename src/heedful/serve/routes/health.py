"""/health, /ready, /metrics, /card, /docs: what operators and the page ask of the server itself."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response

from heedful.serve.http.bodies import answer
from heedful.serve.http.errors import stopping
from heedful.serve.routes.openapi import api_page, takes
from heedful.serve.routes.renderings import PAGE_POLICY
from heedful.serve.service import Service

METRICS = "text/plain; version=0.0.4; charset=utf-8"


def routes(service: Service) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["server"])

    @router.get("/health", **takes())
    async def health() -> Response:
        """Whether the server lives."""
        return answer({"status": "ok"})

    @router.get("/ready", **takes())
    async def ready() -> Response:
        """Whether it takes requests: no, once it is told to stop."""
        if service.is_stopping:
            raise stopping()
        named = {} if service.keys else {"models": [held.name for held in service.shelf]}  # this path needs no key
        return answer({"status": "ready", **named})

    @router.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return Response(service.counts.text(), media_type=METRICS)

    @router.get("/card", **takes(missing=True))
    async def card(request: Request, model: str | None = None) -> Response:
        """All that a model's folder says of it: card, figures, audit, what its hops read."""
        held = next(iter(service.shelf)) if model is None else service.shelf.named(model)
        return await service.call(request, lambda: answer(held.card))

    @router.get("/docs", include_in_schema=False)
    async def docs(request: Request) -> Response:
        app: FastAPI = request.app
        headers = {"Content-Security-Policy": PAGE_POLICY}
        return Response(api_page(app), media_type="text/html; charset=utf-8", headers=headers)

    return router
