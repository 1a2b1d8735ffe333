"""/embed, /tokenize and /info, as text-embeddings-inference has them. Its /rerank is in `rerank.py`."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from heedful import __version__
from heedful.runtime.cancel import check_wanted
from heedful.runtime.vector_form import unit
from heedful.serve.http.bodies import json_response, read_request
from heedful.serve.http.errors import Refused
from heedful.serve.models import ServedModel
from heedful.serve.routes.openapi import operation
from heedful.serve.routes.requests import EmbedRequest, TokenizeRequest
from heedful.serve.service import Service


def routes(service: Service) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["text-embeddings-inference"])

    @router.post("/embed", **operation(EmbedRequest))
    async def embed(request: Request) -> Response:
        """A unit vector for each text, as plain lists."""
        return await _embed(service, request)

    @router.post("/tokenize", **operation(TokenizeRequest))
    async def tokenize(request: Request) -> Response:
        """The tokens of each text with their ids and offsets, truncated to the limit of the model."""
        return await _tokenize(service, request)

    @router.get("/info", **operation())
    async def info() -> Response:
        """The model for embeddings and the limits of this server."""
        return json_response(_info(service))

    return router


async def _embed(service: Service, request: Request) -> Response:
    service.batcher.check_capacity()
    body = await read_request(request, EmbedRequest, service.settings)
    if not body.normalize:
        raise Refused(400, "normalize is false, but vectors are given at length 1 only.", param="normalize")
    served = service.models.find(body.model, capability="embeddings")
    width = served.model.width
    if body.dimensions is not None and body.dimensions > width:
        message = f"dimensions is {body.dimensions}, but vectors of {served.name} have {width} numbers."
        raise Refused(400, message, param="dimensions")
    texts = await service.tokenise(served, body.inputs)
    rows = await service.run_batched(request, served.vectors, texts.features)
    return json_response(list(rows if body.dimensions is None else unit(rows[:, : body.dimensions])))


async def _tokenize(service: Service, request: Request) -> Response:
    body = await read_request(request, TokenizeRequest, service.settings)
    served = service.models.find(body.model, capability="embeddings")
    texts = await service.tokenise(served, body.inputs)
    limit = service.settings.queue_tokens  # bounds the response
    if texts.n_tokens > limit:
        message = f"The texts have {texts.n_tokens:,} tokens; the limit is {limit:,}. Send fewer."
        raise Refused(400, message, param="inputs", code="too_many_tokens")

    def work() -> Response:
        return json_response([_tokens(served, text) for text in body.inputs])

    return await service.run_call(request, work, cost=texts.n_tokens)


def _tokens(served: ServedModel, text: str) -> list[dict[str, Any]]:
    check_wanted()
    featuriser = served.model.texts
    return [
        {
            "id": int(id_),
            "text": text[token.start : token.end],
            "special": False,
            "start": token.start,
            "stop": token.end,
        }
        for id_, token in zip(featuriser.ids(text), featuriser.tokens(text), strict=False)
    ]


def _info(service: Service) -> dict[str, Any]:
    served, settings = service.models.find(None, capability="embeddings"), service.settings
    return {
        "model_id": served.name,
        "model_sha": served.model.fingerprint,
        "model_dtype": "float32",
        "model_type": {"embedding": {"pooling": served.model.config.model.pooler}},
        "max_concurrent_requests": settings.queue_requests,
        "max_input_length": served.model.featuriser.max_tokens,
        "max_batch_tokens": settings.batch_tokens,
        "max_batch_requests": None,
        "max_client_batch_size": settings.max_texts,
        "auto_truncate": True,
        "tokenization_workers": 1,
        "version": __version__,
        "sha": None,
        "docker_label": None,
    }
