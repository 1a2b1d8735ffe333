"""/rerank, /v1/rerank, /v2/rerank."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow

QUERY = "where is my late parcel?"
DOCUMENTS = ["A lovely dinner.", "The parcels came late.", "My sister lives near town.", ""]
PATHS = ("/rerank", "/v1/rerank", "/v2/rerank")


def results(server, path="/v2/rerank", **asked):
    answer = server.post(path, {"model": "en-base", "query": QUERY, "documents": DOCUMENTS, **asked})
    assert answer.status == 200, answer
    return answer.json["results"]


@pytest.mark.parametrize("path", PATHS)
def test_documents_are_ranked_as_by_the_model(server, models, path):
    expected = models["en-base"].rerank(QUERY, DOCUMENTS)
    found = results(server, path)
    assert [each["index"] for each in found] == [each.index for each in expected]
    assert [each["relevance_score"] for each in found] == pytest.approx([each.score for each in expected], abs=1e-5)
    assert all(set(each) == {"index", "relevance_score"} for each in found)


@pytest.mark.parametrize("by", ["words", "meaning", "both"])
def test_the_parts_of_a_score_add_up(server, by):
    for each in results(server, explain=True, by=by):
        assert each["by_words"] + each["by_meaning"] == pytest.approx(each["relevance_score"], abs=1e-9)
        assert sum(match["adds"] for match in each["matches"]) == pytest.approx(each["by_words"], abs=1e-9)
        assert bool(each["words"]) == (by != "words" and bool(DOCUMENTS[each["index"]]))


def test_the_words_of_a_document_are_shown(server):
    (best,) = results(server, explain=True, top_n=1)
    assert best["index"] == 1
    assert {match["words"][0] for match in best["matches"]} == {"parcels", "late"}
    assert {"query", "text", "adds"} == set(best["words"][0]) and best["words"][0]["adds"] > 0


def test_documents_may_be_objects_and_are_returned_if_asked_for(server):
    found = results(server, documents=[{"text": text, "id": 3} for text in DOCUMENTS], return_documents=True, top_n=2)
    assert [each["document"]["text"] for each in found] == [DOCUMENTS[each["index"]] for each in found]
    assert len(found) == 2


def test_texts_give_the_form_of_text_embeddings_inference(server):
    asked = {"query": QUERY, "texts": DOCUMENTS, "return_text": True, "raw_scores": False, "truncate": True}
    found = server.post("/rerank", asked).json
    assert found[0] == {"index": 1, "score": found[0]["score"], "text": DOCUMENTS[1]} and len(found) == 4


def test_the_response_has_what_clients_read(server):
    answer = server.post("/v1/rerank", {"query": QUERY, "documents": DOCUMENTS}).json
    assert answer["meta"]["api_version"] == {"version": "1"} and isinstance(answer["id"], str)
    assert answer["usage"]["total_tokens"] > 0 and "cut" not in answer
    long = server.post("/v1/rerank", {"query": QUERY, "documents": ["a", "parcel " * 3_000]}).json
    assert long["cut"] == [1]


@pytest.mark.parametrize(
    ("asked", "param"),
    [
        ({"documents": []}, "documents"),
        ({"documents": ["a", 3]}, "documents"),
        ({"documents": [{"title": "a"}]}, "documents"),
        ({"documents": "text"}, "documents"),
        ({"documents": None}, "documents"),
        ({"texts": ["a"]}, "documents"),
        ({"top_n": 0}, "top_n"),
        ({"query": None}, "query"),
        ({"query": "a" * 10_001}, "query"),
        ({"by": "sound"}, "by"),
        ({"documents": ["a"] * 17, "explain": True}, "top_n"),
        ({"documents": ["a"] * 2_049}, "input"),
    ],
)
def test_what_is_wrong_is_named(server, asked, param):
    answer = server.post("/v2/rerank", {"model": "en-base", "query": QUERY, "documents": DOCUMENTS, **asked})
    assert (answer.status, answer.error["param"]) == (400, param)


def test_an_explanation_is_bounded(start):
    server = start("en-base", "--explain-tokens", "50")
    asked = {"query": QUERY, "documents": ["parcel " * 40], "explain": True}
    answer = server.post("/rerank", asked)
    assert (answer.status, answer.error["code"]) == (422, "over_budget")
    assert server.post("/rerank", {**asked, "explain": False}).status == 200


def test_2048_documents_are_ranked(server):
    assert len(results(server, documents=[f"text {i}" for i in range(2_048)])) == 2_048


def test_a_model_without_vectors_of_texts_is_refused(server):
    answer = server.post("/rerank", {"model": "tagger", "query": QUERY, "documents": DOCUMENTS})
    assert (answer.status, answer.error["param"]) == (400, "model")


def test_a_key_is_needed_if_there_is_one(start, tmp_path):
    (tmp_path / "keys").write_text("secret\n")
    server = start("en-small", "--api-key-file", tmp_path / "keys")
    asked = {"query": QUERY, "documents": DOCUMENTS}
    assert server.post("/v2/rerank", asked).status == 401
    assert server.post("/v2/rerank", asked, {"Authorization": "Bearer secret"}).status == 200
