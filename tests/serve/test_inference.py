"""/embed, /tokenize and /info, as text-embeddings-inference has them."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.slow

TEXTS = ["The parcel came late", "", "naïve 😀 文"]


def test_vectors_are_plain_lists(server, models):
    found = server.post("/embed", {"inputs": TEXTS, "model": "en-base", "truncate": True}).json
    assert np.allclose(found, models["en-base"].embed(TEXTS, normalize=True), atol=1e-5)
    assert len(server.post("/embed", {"inputs": TEXTS[0], "model": "en-base", "dimensions": 64}).json[0]) == 64


@pytest.mark.parametrize(
    ("asked", "param"), [({"normalize": False}, "normalize"), ({"dimensions": 9999}, "dimensions")]
)
def test_what_vectors_cannot_be_is_refused(server, asked, param):
    answer = server.post("/embed", {"inputs": "a", **asked})
    assert (answer.status, answer.error["param"]) == (400, param)


def test_tokens_have_ids_and_offsets(server, models):
    found = server.post("/tokenize", {"inputs": TEXTS, "model": "en-base"}).json
    for text, tokens in zip(TEXTS, found, strict=True):
        assert [token["id"] for token in tokens] == models["en-base"].featuriser.ids(text).tolist()
        assert all(token["text"] == text[token["start"] : token["stop"]] for token in tokens)
    assert found[0][0] == {"id": found[0][0]["id"], "text": "The", "special": False, "start": 0, "stop": 3}


def test_the_response_to_tokenize_is_bounded(start):
    server = start("en-small", "--queue-tokens", "100")
    answer = server.post("/tokenize", {"inputs": ["a b c d e f"] * 20})
    assert (answer.status, answer.error["code"]) == (400, "too_many_tokens")


def test_info_has_the_model_and_the_limits(server):
    info = server.get("/info").json
    assert info["max_client_batch_size"] == 2_048 and info["max_input_length"] > 0
    assert info["model_id"] and set(info["model_type"]) == {"embedding"}
