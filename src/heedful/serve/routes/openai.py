"""/v1/embeddings and /v1/models, compatible with the OpenAI API."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import numpy as np
from fastapi import APIRouter, Request
from numpy.typing import NDArray
from starlette.responses import Response

from heedful.runtime.vector_form import unit
from heedful.serve.http.bodies import json_response, read_request
from heedful.serve.http.errors import Refused
from heedful.serve.routes.openapi import operation
from heedful.serve.routes.requests import EmbeddingsRequest
from heedful.serve.service import Service


def routes(service: Service) -> APIRouter:
    """Return the routes. Each is also available without /v1, for clients configured with the bare address."""
    router = APIRouter(tags=["OpenAI"])

    async def embeddings(request: Request) -> Response:
        """A unit vector for each text. The indexes of truncated texts are in `cut`."""
        return await _embeddings(service, request)

    async def models() -> Response:
        """The models, and what each of them supports."""
        return json_response({"object": "list", "data": service.models.descriptions()})

    async def model(name: str) -> Response:
        """One model."""
        return json_response(service.models.get(name).description)

    for prefix in ("/v1", ""):
        in_schema = prefix != ""
        router.post(f"{prefix}/embeddings", include_in_schema=in_schema, **operation(EmbeddingsRequest))(embeddings)
        router.get(f"{prefix}/models", include_in_schema=in_schema, **operation())(models)
        router.get(f"{prefix}/models/{{name}}", include_in_schema=in_schema, **operation(missing=True))(model)
    return router


async def _embeddings(service: Service, request: Request) -> Response:
    service.batcher.check_capacity()  # before any work on a request that will be refused
    body = await read_request(request, EmbeddingsRequest, service.settings)
    served = service.models.find(body.model, capability="embeddings")
    width = served.model.width
    if body.dimensions is not None and body.dimensions > width:
        message = f"dimensions is {body.dimensions}, but vectors of {served.name} have {width} numbers."
        raise Refused(400, message, param="dimensions")
    texts = await service.tokenise(served, body.input)
    rows = await service.run_batched(request, served.vectors, texts.features)
    vectors = rows if body.dimensions is None else unit(rows[:, : body.dimensions])
    data = _base64(vectors) if body.encoding_format == "base64" else list(vectors)
    return json_response(
        {
            "object": "list",
            "data": [{"object": "embedding", "index": i, "embedding": vector} for i, vector in enumerate(data)],
            "model": served.name,
            "usage": {"prompt_tokens": texts.n_tokens, "total_tokens": texts.n_tokens},
            **({"cut": texts.truncated} if texts.truncated else {}),
        }
    )


def _base64(vectors: NDArray[np.float32]) -> list[Any]:
    little_endian = np.ascontiguousarray(vectors, dtype="<f4")
    return [b64encode(row.tobytes()).decode("ascii") for row in little_endian]
