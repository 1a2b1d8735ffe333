"""curl, as people use it."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from tests.serve.running import PATIENCE

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")]

JSON = ("-H", "Content-Type: application/json")


def curl(*arguments: str) -> tuple[int, str]:
    """Return the status and the body."""
    command = ["curl", "--silent", "--show-error", "--noproxy", "*", "--write-out", "\n%{http_code}", *arguments]
    found = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    body, _, status = found.stdout.rpartition("\n")
    return int(status), body


def test_vectors_and_answers(server):
    status, body = curl(
        server.address + "/v1/embeddings", *JSON, "-d", '{"model": "en-base", "input": "a late parcel"}'
    )
    assert (status, len(json.loads(body)["data"][0]["embedding"])) == (200, 384)
    status, body = curl(server.address + "/predict", *JSON, "-d", '{"input": ["a late parcel", "the best"]}')
    assert (status, len(json.loads(body)["data"])) == (200, 2)


def test_without_the_header_it_is_said_what_to_send(server):
    status, body = curl(server.address + "/predict", "-d", '{"input": "a late parcel"}')
    assert status == 415
    assert "Content-Type: application/json" in json.loads(body)["error"]["message"]


def test_json_is_enough_said(server):
    assert curl(server.address + "/predict", "--json", '{"input": "a"}')[0] == 200


def test_a_picture_goes_into_a_file(server, tmp_path):
    asked = '{"model": "tiny", "input": "the best parcel", "form": "png"}'
    status, _ = curl(server.address + "/explain", *JSON, "-d", asked, "-o", str(tmp_path / "words.png"))
    assert status == 200
    assert (tmp_path / "words.png").read_bytes().startswith(b"\x89PNG")


def test_a_large_file_is_sent_whole(server, tmp_path):
    file = tmp_path / "texts.json"
    file.write_text(json.dumps({"model": "tiny", "input": ["the best " * 300] * 1000}))
    assert file.stat().st_size > 2_000_000  # curl asks first whether it may go on
    status, body = curl(server.address + "/predict", *JSON, "--data-binary", f"@{file}")
    assert (status, len(json.loads(body)["data"])) == (200, 1000)
    file.write_text(json.dumps({"input": "a" * 9_000_000}))
    status, body = curl(server.address + "/predict", *JSON, "-H", "Expect: 100-continue", "--data-binary", f"@{file}")
    assert (status, json.loads(body)["error"]["code"]) == (413, "too_large")


def test_other_paths_and_methods(server):
    assert curl(server.address + "/health") == (200, '{"status":"ok"}')
    assert curl(server.address + "/nothing")[0] == 404
    assert curl(server.address + "/predict")[0] == 405
    assert curl(server.address + "/predict", "-X", "POST")[0] == 415
    assert curl("--http2", server.address + "/health")[0] == 200


def test_a_key_goes_into_a_header(start):
    server = start(key="mine")
    assert curl(server.address + "/models")[0] == 401
    assert curl(server.address + "/models", "-H", "Authorization: Bearer mine")[0] == 200
    assert curl(server.address + "/models", "--oauth2-bearer", "mine")[0] == 200
    assert curl(server.address + "/models", "-u", "user:mine")[0] == 401
