"""/health, /ready, /metrics, /card, /docs: routes about the server itself."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response

from heedful.serve.http.bodies import json_response
from heedful.serve.http.errors import stopping
from heedful.serve.routes.openapi import api_page, operation
from heedful.serve.routes.renderings import PAGE_POLICY
from heedful.serve.service import Service

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def routes(service: Service) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["server"])

    @router.get("/health", **operation())
    async def health() -> Response:
        """Whether the server is alive."""
        return json_response({"status": "ok"})

    @router.get("/ready", **operation())
    async def ready() -> Response:
        """Whether the server accepts requests; 503 once it is shutting down."""
        if service.is_stopping:
            raise stopping()
        models = {} if service.keys else {"models": [served.name for served in service.models]}  # this path is keyless
        return json_response({"status": "ready", **models})

    @router.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return Response(service.metrics.render(), media_type=METRICS_TYPE)

    @router.get("/card", **operation(missing=True))
    async def card(request: Request, model: str | None = None) -> Response:
        """Everything that the folder of a model says about it: card, metrics, audit, hops, words."""
        served = next(iter(service.models)) if model is None else service.models.get(model)
        return await service.run_call(request, lambda: json_response(served.card))

    @router.get("/docs", include_in_schema=False)
    async def docs(request: Request) -> Response:
        app: FastAPI = request.app
        headers = {"Content-Security-Policy": PAGE_POLICY}
        return Response(api_page(app), media_type="text/html; charset=utf-8", headers=headers)

    return router
