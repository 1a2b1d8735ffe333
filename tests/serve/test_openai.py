"""OpenAI's own client, pointed at this server."""

from __future__ import annotations

import asyncio

import numpy as np
import openai
import pytest
from tests.serve.running import WORDS

pytestmark = pytest.mark.slow

TEXTS = ["the parcel came late", "", "a lovely dinner, naïve 😀 文", "it was", WORDS * 3]
NAMES = ("encoder", "en-tiny", "en-base", "tiny")


@pytest.fixture(scope="module", params=["/v1", ""], ids=["with v1", "bare"])
def client(request, server):
    with openai.OpenAI(base_url=server.address + request.param, api_key="any", max_retries=0) as made:
        yield made


def vectors(answer):
    assert [each.index for each in answer.data] == list(range(len(answer.data)))
    return np.array([each.embedding for each in answer.data], dtype=np.float32)


@pytest.mark.parametrize("name", NAMES)
def test_vectors_are_those_of_the_model(client, models, name):
    answer = client.embeddings.create(model=name, input=TEXTS)  # the client asks for base64 by itself
    expected = models[name].embed(TEXTS, normalize=True)
    assert np.allclose(vectors(answer), expected, atol=1e-5)
    assert answer.model == name
    assert answer.usage.prompt_tokens == answer.usage.total_tokens > 0


def test_one_text_is_a_list_of_one(client, models):
    answer = client.embeddings.create(model="en-tiny", input=TEXTS[0])
    assert np.allclose(vectors(answer), models["en-tiny"].embed([TEXTS[0]], normalize=True), atol=1e-5)


def test_numbers_and_base64_are_the_same_vectors(client):
    numbers = client.embeddings.create(model="en-base", input=TEXTS, encoding_format="float")
    coded = client.embeddings.create(model="en-base", input=TEXTS)
    assert np.allclose(vectors(numbers), vectors(coded), atol=1e-6)


def test_base64_is_what_it_should_be(server, models):
    import base64

    asked = {"model": "en-tiny", "input": TEXTS[0], "encoding_format": "base64"}
    found = server.post("/v1/embeddings", asked).json["data"][0]["embedding"]
    row = np.frombuffer(base64.b64decode(found, validate=True), dtype="<f4")
    assert np.allclose(row, models["en-tiny"].embed(TEXTS[0], normalize=True), atol=1e-5)


def test_dimensions_are_the_first_numbers_at_length_one(client, models):
    found = vectors(client.embeddings.create(model="en-base", input=TEXTS, dimensions=32))
    expected = models["en-base"].embed(TEXTS, normalize=True)[:, :32]
    lengths = np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.allclose(found, expected / np.where(lengths == 0, 1, lengths), atol=1e-5)
    with pytest.raises(openai.BadRequestError, match="have 384 numbers") as told:
        client.embeddings.create(model="en-base", input="a", dimensions=385)
    assert told.value.param == "dimensions"
    with pytest.raises(openai.BadRequestError):
        client.embeddings.create(model="en-base", input="a", dimensions=0)


def test_what_is_null_is_left_out(server):
    asked = {"model": "encoder", "input": "a", "encoding_format": None, "dimensions": None, "user": None}
    assert (
        server.post("/v1/embeddings", asked).json
        == server.post("/v1/embeddings", {"model": "encoder", "input": "a"}).json
    )


def test_the_order_is_that_of_the_texts(client, models):
    texts = [f"{word} " * (i % 7 + 1) for i, word in enumerate(WORDS.split() * 8)]
    found = vectors(client.embeddings.create(model="en-tiny", input=texts))
    assert np.allclose(found, models["en-tiny"].embed(texts, normalize=True), atol=1e-5)


def test_long_texts_are_cut_and_named(server):
    found = server.post("/v1/embeddings", {"model": "encoder", "input": ["a b", WORDS * 10]}).json
    assert found["cut"] == [1]
    assert "cut" not in server.post("/v1/embeddings", {"model": "encoder", "input": "a b"}).json


def test_models_are_listed_and_found(client, server):
    names = [model.id for model in client.models.list()]
    assert names == server.get("/ready").json["models"]
    for name in names:
        found = client.models.retrieve(name)
        assert (found.id, found.object, found.owned_by) == (name, "model", "heedful")


def test_a_model_that_is_not_there_is_said_with_those_that_are(client):
    for ask in (
        lambda: client.embeddings.create(model="en-bose", input="a"),
        lambda: client.models.retrieve("en-bose"),
    ):
        with pytest.raises(openai.NotFoundError) as told:
            ask()
        assert "Did you mean en-base?" in told.value.message
        assert "en-tiny" in told.value.message
        assert (told.value.code, told.value.param) == ("model_not_found", "model")


def test_a_model_that_gives_no_vectors_is_said_with_those_that_do(client):
    with pytest.raises(openai.BadRequestError, match="These do: tiny, ") as told:
        client.embeddings.create(model="tagger", input="a")
    assert told.value.param == "model"


@pytest.mark.parametrize("ids", [[1, 2, 3], [[1, 2], [3]]], ids=["one", "several"])
def test_token_ids_are_refused(client, ids):
    with pytest.raises(openai.BadRequestError, match=r"token ids are not taken.*Send the texts") as told:
        client.embeddings.create(model="en-tiny", input=ids)
    assert told.value.param == "input"


@pytest.mark.parametrize("bad", [[], ["a", 1], ["a", None], [True], {"a": 1}, None, 7], ids=repr)
def test_what_is_not_texts_is_refused(server, bad):
    found = server.post("/v1/embeddings", {"model": "en-tiny", "input": bad})
    assert found.status == 400
    assert found.error["param"].startswith("input")


def test_many_requests_at_once_are_each_answered_as_if_alone(server, models):
    texts = [" ".join(WORDS.split()[i % 9 : i % 9 + i % 5 + 1]) + f" {i}" for i in range(64)]

    async def ask():
        async with openai.AsyncOpenAI(base_url=server.address + "/v1", api_key="any", max_retries=0) as client:
            asked = [
                client.embeddings.create(model=("en-base", "en-tiny")[i % 2], input=[text, TEXTS[0]])
                for i, text in enumerate(texts)
            ]
            return [vectors(answer) for answer in await asyncio.gather(*asked)]

    found = asyncio.run(ask())
    for i, text in enumerate(texts):
        expected = models[("en-base", "en-tiny")[i % 2]].embed([text, TEXTS[0]], normalize=True)
        assert np.allclose(found[i], expected, atol=1e-5)


def test_a_server_with_a_key_wants_it(start, tmp_path):
    keys = tmp_path / "keys"
    keys.write_text("second-key\nthird-key\n")
    server = start("--api-key-file", keys, key="first-key")
    for key in ("first-key", "second-key", "third-key"):
        with openai.OpenAI(base_url=server.address, api_key=key, max_retries=0) as client:
            assert len(client.embeddings.create(model="tiny", input="a").data) == 1
    for key in ("", "first-ke", "first-key2", "FIRST-KEY", "first-key second-key"):
        found = server.get("/v1/models", Authorization=f"Bearer {key}")
        assert (found.status, found.headers["www-authenticate"]) == (401, "Bearer")
        assert found.error["code"] == "invalid_api_key"
    with (
        openai.OpenAI(base_url=server.address, api_key="wrong-key", max_retries=0) as client,
        pytest.raises(openai.AuthenticationError, match="A key is needed"),
    ):
        client.embeddings.create(model="tiny", input="a")
    assert "-key" not in server.log.replace("api-key", "")
    server.key = None
    assert [server.get(path).status for path in ("/", "/health", "/ready", "/ui/app.js")] == [200] * 4
    closed = ("/metrics", "/docs", "/openapi.json", "/card", "/models", "/indexes", "/nothing", "//health", "/ui")
    assert [server.get(path).status for path in closed] == [401] * len(closed)
    assert server.post("/predict", {"input": "a"}).status == 401
