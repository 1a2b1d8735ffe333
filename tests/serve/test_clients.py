"""Unmodified clients of other services, if they are installed; and what they send, recorded, if they are not.

Cohere 7.3.1, langchain-openai 1.7.3 and llama-index-embeddings-openai 0.7.0, recorded at a server of heedful.
"""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow

QUERY = "a late parcel"
DOCUMENTS = ["a dinner", "the parcels came late", "my sister"]
COHERE_V2 = {"model": "en-base", "query": QUERY, "documents": DOCUMENTS, "top_n": 2}
COHERE_V1 = {
    "model": "en-base",
    "query": QUERY,
    "documents": [{"text": text} for text in DOCUMENTS],
    "return_documents": True,
}
JINA = {"model": "en-base", "query": QUERY, "documents": DOCUMENTS, "top_n": 2, "return_documents": True}
LANGCHAIN = {"input": DOCUMENTS, "model": "en-base", "encoding_format": "base64"}
LLAMA_INDEX = {"input": DOCUMENTS, "model": "en-base", "encoding_format": "base64"}


def best(models) -> list[int]:
    return [each.index for each in models["en-base"].rerank(QUERY, DOCUMENTS)]


def test_cohere_ranks(server, models):
    cohere, httpx = pytest.importorskip("cohere"), pytest.importorskip("httpx")
    with httpx.Client() as connections:
        found, first = (
            kind(api_key="x", base_url=server.address, httpx_client=connections).rerank(**body)
            for kind, body in ((cohere.ClientV2, COHERE_V2), (cohere.Client, COHERE_V1))
        )
    assert [each.index for each in found.results] == best(models)[:2]
    assert found.results[0].relevance_score > found.results[1].relevance_score
    assert [each.document.text for each in first.results] == [DOCUMENTS[i] for i in best(models)]


def test_langchain_embeds(server, models):
    langchain = pytest.importorskip("langchain_openai")
    # by default it sends token ids of OpenAI's own tokeniser
    settings = {"model": "en-base", "base_url": f"{server.address}/v1", "api_key": "x", "max_retries": 0}
    embeddings = langchain.OpenAIEmbeddings(**settings, check_embedding_ctx_length=False)
    found = embeddings.embed_documents(DOCUMENTS)
    assert found[1] == pytest.approx(models["en-base"].embed(DOCUMENTS[1], normalize=True).tolist(), abs=1e-5)


def test_llama_index_embeds(server, models):
    llama_index = pytest.importorskip("llama_index.embeddings.openai")
    embeddings = llama_index.OpenAIEmbedding(
        model_name="en-base", api_base=f"{server.address}/v1", api_key="x", max_retries=0
    )
    found = embeddings.get_text_embedding_batch(DOCUMENTS)
    assert found[1] == pytest.approx(models["en-base"].embed(DOCUMENTS[1], normalize=True).tolist(), abs=1e-5)


@pytest.mark.parametrize(
    ("path", "body"), [("/v2/rerank", COHERE_V2), ("/v1/rerank", COHERE_V1), ("/v1/rerank", JINA), ("/rerank", JINA)]
)
def test_recorded_requests_to_rank_are_answered(server, models, path, body):
    found = server.post(path, body, {"Authorization": "Bearer x", "X-Client-Name": "recorded"}).json
    assert [each["index"] for each in found["results"]] == best(models)[: body.get("top_n")]
    assert {"id", "results", "meta"} <= set(found)
    if "return_documents" in body:
        assert found["results"][0]["document"] == {"text": DOCUMENTS[best(models)[0]]}


@pytest.mark.parametrize("body", [LANGCHAIN, LLAMA_INDEX])
def test_recorded_requests_for_vectors_are_answered(server, body):
    found = server.post("/v1/embeddings", body, {"Authorization": "Bearer x"}).json
    assert [each["index"] for each in found["data"]] == [0, 1, 2]
