"""Whatever is sent, the answer is a clear no, soon: never a fault of ours, and never silence."""

from __future__ import annotations

import json
import random
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.serve.running import is_closed, raw_request, read_answer

pytestmark = pytest.mark.slow

POSTS = (
    "/v1/embeddings", "/embeddings", "/predict", "/explain", "/similarity", "/steps", "/search", "/rerank",
    "/v1/rerank", "/v2/rerank", "/embed", "/tokenize",
)  # fmt: skip


def refused(server, path, body, *, status=400, **headers):
    found = server.post(path, body, headers)
    assert found.status == status, (path, found)
    return found.error


@pytest.mark.parametrize("path", [*POSTS, "/health", "/nothing"])
def test_a_gigabyte_that_is_only_declared_is_refused_at_once(server, path):
    with server.connect() as connection:
        connection.sendall(raw_request(path, b"", length=1_000_000_000))
        found = read_answer(connection)
        assert (found.status, found.error["code"]) == (413, "too_large")
        assert "8 MB" in found.error["message"]
        assert is_closed(connection)


def test_chunks_without_end_are_refused(server):
    with server.connect() as connection:
        head = b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        connection.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n")
        chunk = b"100000\r\n" + b"a" * 0x100000 + b"\r\n"

        def send():
            try:
                for _ in range(100):
                    connection.sendall(chunk)
            except OSError:
                pass

        sending = threading.Thread(target=send)
        sending.start()
        found = read_answer(connection)
        assert (found.status, found.error["code"]) == (413, "too_large")
        connection.close()
        sending.join()


@pytest.mark.parametrize("length", ["-1", "1e9", "", "0x10", "9" * 30, "9" * 5000, "٣"])
def test_a_length_that_is_no_number_is_refused(server, length):
    with server.connect() as connection:
        connection.sendall(f"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n".encode())
        found = read_answer(connection)
        assert found.status in (400, 413)
        assert found.error["message"]


@pytest.mark.parametrize("more", ["Content-Length: 3", "Transfer-Encoding: chunked"])
def test_two_lengths_are_refused(server, more):
    with server.connect() as connection:
        connection.sendall(raw_request("/predict", b'{"input": "a"}', more))
        assert read_answer(connection).status == 400
        assert is_closed(connection)


@pytest.mark.parametrize("path", ["/v1/embeddings", "/predict"])
def test_a_million_texts_are_refused(server, path):
    assert refused(server, path, {"input": [""] * 1_000_000})["code"] == "too_many_texts"


def test_a_million_others_to_compare_with_are_refused(server):
    error = refused(server, "/similarity", {"first": "a", "second": [""] * 1_000_000})
    assert error["code"] == "too_many_texts"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"7",
        b'"a"',
        b"{}",
        b"\xff\xfe{}",
        b'{"input": "\xff"}',
        b'{"input": "a", "input"}',
        b'{"input": NaN}',
        b'{"input": "a", "text": "a", "first": "a", "second": "a", "query": "a", "model": Infinity, "index": Infinity}',
        b'{"input": "\\ud800", "text": "\\ud800", "first": "\\udfff", "second": "a", "query": "\\ud800"}',
        b'{"a":' * 100_000,
        b"[" * 1_000_000,
        b'{"input": ' + b"[" * 500 + b"]" * 500 + b"}",
        b"9" * 1_000_000,
        b'{"input": ' + b"9" * 100_000 + b"}",
        b'{"input": 1e999999}',
        b"\xef\xbb\xbf" + b'{"input": 1}',
        b"\x00" * 1000,
        b"input=a&model=b",
    ],
    ids=lambda body: repr(body[:30]),
)
def test_what_is_not_a_form_is_refused(server, body):
    for path in POSTS:
        assert refused(server, path, body)["type"] == "invalid_request_error"


def test_of_a_field_that_is_there_twice_the_last_counts(server):
    body = b'{"model": "tiny", "input": "the worst", "input": "the best"}'
    assert server.post("/predict", body).json == server.post("/predict", {"model": "tiny", "input": "the best"}).json


def test_fields_that_are_not_known_are_left_alone(server):
    asked = {"model": "tiny", "input": "the best", "user": "me", "more": {"a": [1, 2]}}
    assert server.post("/predict", asked).status == 200


@pytest.mark.parametrize(
    "name", ["a" * 100_000, "", "\x00", "../../etc/passwd", "tiny\n", "TINY", "😀"], ids=lambda n: n[:9]
)
def test_a_name_that_is_none_is_refused(server, name):
    for path in ("/v1/embeddings", "/predict"):
        found = server.post(path, {"model": name, "input": "a"})
        assert found.status in (400, 404)
        assert found.error["param"] == "model"


@pytest.mark.parametrize("path", ["/v1/models/" + "a" * 60_000, "/card?model=" + "a" * 60_000, "/" + "a" * 60_000])
def test_a_long_path_is_no_path(server, path):
    assert server.get(path).error["message"]
    assert server.get(path).status == 404


@pytest.mark.parametrize("number", [10**30, -(10**30), 2**63, 2**64, 0, -1, 1.5, "1", True, []], ids=repr)
def test_a_number_that_is_none_is_refused(server, number):
    assert refused(server, "/v1/embeddings", {"input": "a", "dimensions": number})["param"] == "dimensions"


ODD = ["\x00", "a\x00b", "", " ", "\n" * 1000, "\u202e\u200b\ufeff", "é" * 5000, "a" * 30_000, "👩‍👩‍👧‍👦" * 500]


@pytest.mark.parametrize("model", ["tiny", "many", "price", "tagger"])
def test_any_text_is_answered(server, model):
    for text in ODD:
        answer = server.post("/predict", {"model": model, "input": text})
        assert answer.status == 200, (text[:6], answer)
        explained = server.post("/explain", {"model": model, "input": text, "methods": []})
        assert explained.status in (200, 400), (text[:6], explained)


@pytest.mark.parametrize("model", ["encoder", "en-tiny", "en-base"])
def test_any_text_has_a_vector(server, model):
    for text in ODD:
        vector = server.post("/v1/embeddings", {"model": model, "input": text}).json["data"][0]["embedding"]
        assert vector and all(isinstance(number, float) for number in vector), text[:6]


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/v1/embeddings", {"model": "en-base", "input": "TEXT"}),
        ("/predict", {"model": "tiny", "input": "TEXT"}),
        ("/predict", {"model": "tagger", "input": "TEXT"}),
        ("/predict", {"model": "pair", "input": [["a", "TEXT"]]}),
        ("/explain", {"model": "tiny", "input": "TEXT"}),
        ("/similarity", {"model": "en-base", "first": "a", "second": "TEXT"}),
        ("/similarity", {"model": "en-base", "first": "a", "second": ["TEXT"]}),
        ("/steps", {"model": "en-tiny", "text": "TEXT"}),
        ("/rerank", {"model": "en-base", "query": "a", "documents": ["TEXT"]}),
        ("/v2/rerank", {"model": "en-base", "query": "a", "documents": [{"text": "TEXT"}], "by": "words"}),
        ("/embed", {"model": "en-base", "inputs": "TEXT"}),
        ("/tokenize", {"model": "en-base", "inputs": ["TEXT"]}),
        ("/steps", {"model": "en-tiny", "text": "a", "compare": "TEXT"}),
    ],
    ids=lambda asked: str(asked)[:60],
)
def test_a_text_that_is_too_long_is_refused(server, path, asked):
    for text, n in (("word " * 50_000, "50,00"), ("a" * 3_000_000, "3,000,000")):  # one word is long, too
        error = refused(server, path, json.dumps(asked).replace("TEXT", text).encode())
        assert error["code"] == "text_too_long"
        assert n in error["message"]


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x" * 5000]
)
def test_another_kind_of_body_is_refused(server, kind):
    for path in POSTS:
        error = refused(server, path, b'{"input": "a"}', status=415, **{"Content-Type": kind})
        assert "Content-Type: application/json" in error["message"]


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "APPLICATION/JSON"])
def test_json_is_json_however_it_is_written(server, kind):
    assert server.post("/predict", b'{"input": "a"}', {"Content-Type": kind}).status == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "GET"])
def test_another_method_is_refused(server, method):
    for path in POSTS:
        answer = server.ask(method, path)
        assert (answer.status, answer.headers["allow"]) == (405, "POST"), path
        assert answer.error["message"]


def test_paths_that_are_not_there_are_said(server):
    for path in ("/nothing", "/v1", "/v2/embeddings", "/predict/", "//predict", "/%00", "/v1/chat/completions"):
        found = server.post(path, {})
        assert found.status == 404
        assert "/docs" in found.error["message"]


plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
nested = plain | st.lists(plain, max_size=4) | st.dictionaries(st.text(max_size=8), plain, max_size=4)
json_values = nested | st.lists(nested, max_size=4)
FIELDS = ("model", "input", "methods", "label", "form", "first", "second", "text", "word", "layer", "head", "compare",
          "index", "query", "n", "where", "words", "encoding_format", "dimensions", "user")  # fmt: skip


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.sampled_from(POSTS), body=st.dictionaries(st.sampled_from(FIELDS), json_values, max_size=8))
def test_any_json_is_answered_or_refused(server, path, body):
    found = server.post(path, body)
    assert found.status < 500, (path, body, found)
    assert found.status == 200 or found.error["message"]


def test_any_bytes_are_answered_or_refused(server):
    rng = random.Random(0)
    for _ in range(60):
        with server.connect() as connection:
            whole = bytearray(raw_request("/predict", b'{"input": "a"}', "Connection: close"))
            for _ in range(rng.randrange(1, 5)):
                whole[rng.randrange(len(whole))] = rng.randrange(256)
            connection.sendall(whole)
            connection.shutdown(1)
            try:
                found = read_answer(connection)
            except (ConnectionError, OSError, Exception) as error:
                assert "timed out" not in str(error)
            else:
                assert found.status < 500
    assert server.get("/health").status == 200
