"""/v1/embeddings and /v1/models, as OpenAI's clients know them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import numpy as np
from fastapi import APIRouter, Request
from numpy.typing import NDArray
from starlette.responses import Response

from heedful.runtime.vector_form import unit
from heedful.serve.http.bodies import answer, asked
from heedful.serve.http.errors import Refused
from heedful.serve.routes.openapi import takes
from heedful.serve.routes.requests import EmbeddingsAsked
from heedful.serve.service import Service


def routes(service: Service) -> APIRouter:
    """Return the routes; each also stands without /v1, for clients that are given the bare address."""
    router = APIRouter(tags=["OpenAI"])

    async def embeddings(request: Request) -> Response:
        """A vector of length 1 for each text. Texts longer than the model reads are cut, and named in `cut`."""
        service.gatherer.check_room()  # before any work is put into what will be refused
        form = await asked(request, EmbeddingsAsked, service.settings)
        held = service.shelf.find(form.model, does="embeddings")
        width = held.model.width
        if form.dimensions is not None and form.dimensions > width:
            said = f"dimensions is {form.dimensions}, but vectors of {held.name} have {width} numbers: ask for no more."
            raise Refused(400, said, param="dimensions")
        read = await service.read(held, form.input)
        rows = await service.rows(request, held.vectors, read.features)
        vectors = rows if form.dimensions is None else unit(rows[:, : form.dimensions])
        data = _base64(vectors) if form.encoding_format == "base64" else list(vectors)
        return answer(
            {
                "object": "list",
                "data": [{"object": "embedding", "index": i, "embedding": each} for i, each in enumerate(data)],
                "model": held.name,
                "usage": {"prompt_tokens": read.tokens, "total_tokens": read.tokens},
                **({"cut": read.cut} if read.cut else {}),
            }
        )

    async def models() -> Response:
        """The models that are served, and what each can be asked for."""
        return answer({"object": "list", "data": service.shelf.described()})

    async def model(name: str) -> Response:
        """One of them."""
        return answer(service.shelf.named(name).described)

    for start in ("/v1", ""):
        shown = start != ""
        router.post(f"{start}/embeddings", include_in_schema=shown, **takes(EmbeddingsAsked))(embeddings)
        router.get(f"{start}/models", include_in_schema=shown, **takes())(models)
        router.get(f"{start}/models/{{name}}", include_in_schema=shown, **takes(missing=True))(model)
    return router


def _base64(vectors: NDArray[np.float32]) -> list[Any]:
    little = np.ascontiguousarray(vectors, dtype="<f4")
    return [b64encode(row.tobytes()).decode("ascii") for row in little]
