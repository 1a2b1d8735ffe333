"""/rerank, /v1/rerank and /v2/rerank, compatible with the clients of Cohere, Jina and text-embeddings-inference."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from uuid import uuid4

from fastapi import APIRouter, Request
from starlette.responses import Response

from heedful.explain.similarity import pair_similarity, word_parts
from heedful.runtime.rerank import Ranked, ranked
from heedful.serve.http.bodies import json_response, read_request
from heedful.serve.http.errors import Refused
from heedful.serve.models import ServedModel
from heedful.serve.routes.openapi import operation
from heedful.serve.routes.requests import RerankRequest
from heedful.serve.service import Service, TokenisedTexts
from heedful.show.similarity.view import strongest_pairs
from heedful.text.terms.mix import MIXES

MAX_QUERY = 10_000  # characters
CHARACTERS_PER_TOKEN = 5  # on average: what counting words costs
PAIRS = 5  # of words of similar meaning


def routes(service: Service) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["rerank"])

    async def rerank(request: Request) -> Response:
        """The documents that fit the query best, by the words that they share with it and by meaning."""
        return await _rerank(service, request)

    for path in ("/v2/rerank", "/v1/rerank", "/rerank"):
        router.post(path, **operation(RerankRequest))(rerank)
    return router


async def _rerank(service: Service, request: Request) -> Response:
    service.batcher.check_capacity()
    body = await read_request(request, RerankRequest, service.settings)
    texts = _texts(body)
    if len(body.query) > MAX_QUERY:
        message = f"The query has {len(body.query):,} characters; the limit is {MAX_QUERY:,}."
        raise Refused(400, message, param="query")
    served = service.models.find(body.model, capability="similarity")
    service.check_text_count(texts)
    _check_explained(service, body, texts)
    tokenised = await service.tokenise(served, [body.query, *texts], max_texts=service.settings.max_texts + 1)
    cosines = None
    if body.by != "words":
        rows = await service.run_batched(request, served.vectors, tokenised.features)
        cosines = rows[1:] @ rows[0]

    def work() -> Response:
        results = ranked(body.query, texts, cosines, by=body.by, n=body.top_n)
        reasons = _reasons(service, served, body, results) if body.explain else [{} for _ in results]
        return json_response(_response(request, served, body, results, reasons, tokenised))

    cost = (len(body.query) + sum(map(len, texts))) // CHARACTERS_PER_TOKEN
    return await service.run_call(request, work, cost=cost)


def _texts(body: RerankRequest) -> list[str]:
    texts = body.documents if body.texts is None else body.texts
    if texts is None or (body.documents is not None and body.texts is not None):
        raise Refused(400, "documents: expected a list of documents, or of texts, and not both", param="documents")
    return texts


def _check_explained(service: Service, body: RerankRequest, texts: list[str]) -> None:
    """Refuse to explain more documents than /explain takes."""
    limit, n = service.settings.max_explained, min(body.top_n or len(texts), len(texts))
    if body.explain and n > limit:
        message = f"explain is for at most {limit} documents, and {n:,} would be returned. Set top_n to {limit}."
        raise Refused(400, message, param="top_n", code="too_many_texts")


def _reasons(service: Service, served: ServedModel, body: RerankRequest, results: list[Ranked]) -> list[dict[str, Any]]:
    """Return for each document the parts of its score, the words that match, and those of similar meaning."""
    weight = MIXES[body.by].meaning
    pairs: list[list[dict[str, Any]]] = [[] for _ in results]
    if weight > 0:
        _check_pairs(service, served, body.query, results)
        query, *documents = word_parts(served.model, [body.query, *(each.text for each in results)])
        pairs = [_pairs(pair_similarity(query, document), weight) for document in documents]
    return [
        {
            "by_words": each.by_words,
            "by_meaning": each.by_meaning,
            "matches": [asdict(match) for match in each.matches],
            "words": words,
        }
        for each, words in zip(results, pairs, strict=True)
    ]


def _check_pairs(service: Service, served: ServedModel, query: str, results: list[Ranked]) -> None:
    lengths = [len(features) for features in served.model.featurise([query, *(each.text for each in results)])]
    n_pairs, limit = lengths[0] * sum(lengths[1:]), service.settings.explain_tokens
    if n_pairs > limit:
        message = f"The texts have {n_pairs:,} pairs of tokens to explain; the limit is {limit:,}. Set a smaller top_n."
        raise Refused(422, message, param="top_n", code="over_budget")


def _pairs(similarity: Any, weight: float) -> list[dict[str, Any]]:
    adding, _ = strongest_pairs(similarity, PAIRS)
    return [{"query": pair.words[0], "text": pair.words[1], "adds": weight * pair.part} for pair in adding]


def _response(
    request: Request,
    served: ServedModel,
    body: RerankRequest,
    results: list[Ranked],
    reasons: list[dict[str, Any]],
    tokenised: TokenisedTexts,
) -> Any:
    """Return the response in the form of the client: a list for `texts`, an object for `documents`."""
    if body.texts is not None:
        return [
            {"index": each.index, "score": each.score, **({"text": each.text} if body.return_text else {}), **reason}
            for each, reason in zip(results, reasons, strict=True)
        ]
    truncated = [i - 1 for i in tokenised.truncated if i > 0]
    return {
        "id": str(uuid4()),
        "model": served.name,
        "results": [
            {
                "index": each.index,
                "relevance_score": each.score,
                **({"document": {"text": each.text}} if body.return_documents else {}),
                **reason,
            }
            for each, reason in zip(results, reasons, strict=True)
        ],
        "meta": {
            "api_version": {"version": "1" if request.url.path.startswith("/v1") else "2"},
            "billed_units": {"search_units": 1},
        },
        "usage": {"prompt_tokens": tokenised.n_tokens, "total_tokens": tokenised.n_tokens},
        **({"cut": truncated} if truncated else {}),
    }
