"""What clients send, and what they do not fetch, takes no more memory than it may."""

from __future__ import annotations

import http.client
import json
import select
import socket
from contextlib import ExitStack

import pytest
from tests.serve.running import PATIENCE, raw_request, read_answer, wait_for

from heedful.serve.http.bodies import count_commas

pytestmark = pytest.mark.slow

POSTS = ("/v1/embeddings", "/predict", "/explain", "/similarity", "/steps", "/search", "/rerank", "/embed")


@pytest.mark.parametrize(
    ("raw", "commas"),
    [
        (b"", 0),
        (b"[1,2,3]", 2),
        (b'["a,b", ",", "c"]', 2),
        (b'["\\",", "\\\\", ","]', 2),
        (b'{"a": [",\\",", {}], "b": 1}', 2),
        (b'["never ends, \\', 0),
        (b'"' + b'\\"' * 1_000_000, 0),
    ],
    ids=lambda raw: repr(raw)[:30],
)
def test_commas_are_counted_between_values_only(raw, commas):
    assert count_commas(raw, limit=10) == commas


@pytest.mark.parametrize("value", [b"{}", b"[]", b"1", b'{"":1}', b'["",""]', b'"\\\\"'], ids=repr)
@pytest.mark.parametrize("path", POSTS)
def test_millions_of_small_values_are_refused_before_they_are_read(server, path, value):
    body = b'{"input":[' + b",".join([value] * (7_900_000 // (len(value) + 1))) + b"]}"
    assert server.post(path, body).error["code"] == "too_many_texts"


@pytest.mark.parametrize("path", ["/v1/embeddings", "/predict", "/explain", "/similarity"])
def test_of_many_faults_the_first_is_enough(server, path):
    body = b'{"first": "a", "input":[' + b",".join([b"{}"] * 50_000) + b'], "second":[' + b"{}," * 10_000 + b"{}]}"
    assert len(body) < 200_000  # small enough to be read in the event loop
    assert server.post(path, body).error["param"] in ("input", "input.0", "second")


def test_large_texts_with_many_signs_are_read(server):
    text = '{"a": [1, 2, "\\\\"]}, ' * 500
    found = server.post("/v1/embeddings", {"model": "en-tiny", "input": [text] * 20})
    assert (found.status, found.json["cut"]) == (200, list(range(20)))


def test_pairs_as_many_as_texts_are_not_too_many_values(server):
    found = server.post("/predict", {"model": "pair", "input": [["a" * 100, "b"]] * 2048})
    assert found.error["message"].startswith("The request has 2,048 texts; send at most 16")


def test_requests_are_not_heaped_up_in_memory(start):
    server = start("--held-mb", "1")
    head = raw_request("/predict", b" " * 900_000, length=900_100)
    with server.connect() as first, server.connect() as second:
        first.sendall(head)
        wait_for(lambda: server.figure("heedful_held_bytes") >= 900_000)
        second.sendall(head)
        found = read_answer(second)
        assert (found.status, found.error["code"], found.headers["retry-after"]) == (429, "queue_full", "2")
        assert server.post("/predict", {"input": "a"}).status == 200  # there is room for small ones
        first.sendall(b'{"input": "a"}' + b" " * 86)
        assert read_answer(first).status == 200
    wait_for(lambda: server.figure("heedful_held_bytes") == 0)
    assert server.post("/predict", b'{"input": "a"}' + b" " * 2_000_000).status == 200  # alone, it may be larger


def test_answers_that_nobody_fetches_are_not_heaped_up(start):
    server = start("--held-mb", "1", "--body-seconds", "500", "--idle-seconds", "500", "--max-texts", "20000")
    asked = raw_request("/v1/embeddings", json.dumps({"input": ["a"] * 20_000}).encode())
    expected = server.post("/v1/embeddings", {"input": ["a"] * 20_000})
    assert len(expected.body) > 5_000_000  # more than the system itself would keep
    with ExitStack() as stalled:
        found = []
        for _ in range(4):
            connection = stalled.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(PATIENCE)
            connection.connect(server.where)
            connection.sendall(asked)
            assert select.select([connection], [], [], PATIENCE)[0]  # the answer begins to come
            found.append(connection)
        for each in found[:-1]:
            with pytest.raises((ConnectionError, http.client.IncompleteRead)):
                read_answer(each)
        assert read_answer(found[-1]).body == expected.body  # the last is served, however large
