"""What HTTP allows and our own clients do not do: other methods, other versions, packed bodies, a log that is gone."""

from __future__ import annotations

import gzip
import os
import socket
import subprocess
import sys

import pytest
from tests.serve.running import PATIENCE, is_closed, raw_request, read_answer

pytestmark = pytest.mark.slow

POSTS = ("/v1/embeddings", "/predict", "/explain", "/similarity", "/steps", "/search", "/rerank", "/embed")


def test_http_1_0_is_answered_and_closed(server):
    with server.connect() as connection:
        connection.sendall(raw_request("/predict", b'{"input": "a"}').replace(b"HTTP/1.1", b"HTTP/1.0", 1))
        found = read_answer(connection)
        assert (found.status, found.headers["connection"]) == (200, "close")
        assert is_closed(connection)


def test_the_word_bearer_may_be_written_in_any_way(start):
    server = start(key="open sesame")
    for scheme, status in (("Bearer", 200), ("bearer", 200), ("BEARER", 200), ("Basic", 401), ("", 401)):
        assert server.get("/v1/models", Authorization=f"{scheme} open sesame".strip()).status == status
    for key in ("open", "sesame", "open  sesame"):
        assert server.get("/v1/models", Authorization=f"Bearer {key}").status == 401


def test_a_log_that_nobody_reads_any_more_breaks_no_connection(tiny_folder):
    log, end = os.pipe()
    command = [sys.executable, "-m", "heedful", "serve", str(tiny_folder), "--port", "0"]
    with subprocess.Popen(command, stderr=end) as process:
        try:
            os.close(end)
            address = os.read(log, 10_000).decode().partition(" at http://")[2].split()[0]
            os.close(log)
            host, _, port = address.rpartition(":")
            with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
                for _ in range(3):
                    connection.sendall(raw_request("/predict", b'{"input": "a"}'))
                    assert read_answer(connection).status == 200
        finally:
            process.kill()


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("packed", ["gzip", "deflate", "br", "x" * 5000])
def test_a_compressed_body_is_refused(server, path, packed):
    found = server.post(path, gzip.compress(b'{"input": "a"}'), {"Content-Encoding": packed})
    assert (found.status, found.headers["accept-encoding"]) == (415, "identity")
    assert "without Content-Encoding" in found.error["message"]


@pytest.mark.parametrize("path", ["/", "/health", "/ready", "/metrics", "/v1/models", "/openapi.json", "/docs", "/no"])
def test_head_is_get_without_a_body(server, path):
    whole, head = server.get(path), server.ask("HEAD", path)
    assert (head.status, head.body) == (whole.status, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert path == "/metrics" or head.headers["content-length"] == str(len(whole.body))
