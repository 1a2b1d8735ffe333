"""Many at once: each gets its own answer, too many are told so, and those who leave are forgotten."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from tests.serve.running import WORDS, raw_request, wait_for

pytestmark = pytest.mark.slow

LONG = " ".join([WORDS] * 4)  # 60 tokens


@pytest.fixture(scope="module")
def narrow(tiny_folder):
    """A server with one worker, small batches and a short queue."""
    from tests.serve.running import Running

    limits = ("--workers", "1", "--batch-tokens", "256", "--queue-tokens", "12000", "--queue-calls", "2")
    with Running("en-base", tiny_folder, *limits, "--explain-tokens", "100000000") as it:
        yield it
        assert '"level": "error"' not in it.log


def big(n):
    return {"model": "en-base", "input": [LONG] * n}


def quiet(server):
    return server.figure("heedful_waiting_tokens") == 0 == server.figure("heedful_open_calls")


def test_each_of_many_gets_its_own_answer(narrow, models):
    texts = [[f"{word} {i}", word] for i, word in enumerate(WORDS.split() * 4)]
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda t: narrow.post("/v1/embeddings", {"model": "en-base", "input": t}), texts))
    rows = [[each["embedding"] for each in answer.json["data"]] for answer in found]
    expected = models["en-base"].embed([text for pair in texts for text in pair], normalize=True)
    assert np.allclose(np.array(rows).reshape(len(expected), -1), expected, atol=1e-5)


def test_a_full_queue_says_when_to_come_back_and_answers_what_it_took(narrow):
    wait_for(lambda: quiet(narrow))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: narrow.post("/v1/embeddings", big(150)), range(8)))
    assert {each.status for each in found} == {200, 429}
    for each in found:
        if each.status == 200:
            assert len(each.json["data"]) == 150
        else:
            assert int(each.headers["retry-after"]) >= 1
            assert each.error["code"] == "queue_full"
    assert narrow.post("/v1/embeddings", big(1)).status == 200


def test_too_many_single_calls_are_told_too(narrow):
    wait_for(lambda: quiet(narrow))
    asked = {"model": "tiny", "input": " ".join([WORDS] * 30)}
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: narrow.post("/explain", asked), range(8)))
    assert {each.status for each in found} == {200, 429}
    assert all(each.status == 200 or each.error["code"] == "queue_full" for each in found)


def test_a_small_request_does_not_wait_for_a_large_one(narrow):
    wait_for(lambda: quiet(narrow))
    with ThreadPoolExecutor(1) as pool:
        large = pool.submit(narrow.post, "/v1/embeddings", big(190))
        wait_for(lambda: narrow.figure("heedful_waiting_tokens") > 4000)
        assert narrow.post("/v1/embeddings", big(1)).status == 200
        assert not large.done()
        assert large.result().status == 200


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/embeddings", big(190)),
        ("/explain", {"model": "tiny", "input": [" ".join([WORDS] * 30)] * 16}),
    ],
    ids=["gathered", "single"],
)
def test_work_for_a_client_that_left_is_dropped(narrow, path, body):
    wait_for(lambda: quiet(narrow))
    before = narrow.figure("heedful_tokens_total")
    with narrow.connect() as connection:
        connection.sendall(raw_request(path, json.dumps(body).encode()))
        wait_for(lambda: not quiet(narrow))
    wait_for(lambda: quiet(narrow))
    assert narrow.figure("heedful_tokens_total") - before < 190 * 60
    assert narrow.figure("heedful_requests_total", path=path, status="499") == 1
    assert narrow.post("/v1/embeddings", big(1)).status == 200
