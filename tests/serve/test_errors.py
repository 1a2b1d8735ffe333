"""Errors have one form, and what users send is nobody else's to read."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.slow

SECRET = "xylophonist"
TEXT = f"the {SECRET} came on monday"
ASKED = [
    ("/predict", {"model": "tiny", "input": TEXT}, 200),
    ("/predict", {"input": [TEXT, 7]}, 400),
    ("/predict", {"model": "none", "input": TEXT}, 404),
    ("/predict", {"model": 7, "input": TEXT}, 400),
    ("/predict", {"model": "pair", "input": TEXT}, 400),
    ("/predict", {"model": "tiny", "input": [[TEXT]]}, 400),
    ("/predict", {"model": "tiny", "input": [TEXT] * 3000}, 400),
    ("/predict", {"model": "tiny", "input": TEXT * 10_000}, 400),
    ("/predict", {"model": "tagger", "input": TEXT}, 200),
    ("/v1/embeddings", {"input": TEXT, "dimensions": 10**9}, 400),
    ("/v1/embeddings", {"input": TEXT, "encoding_format": "hex"}, 400),
    ("/v1/embeddings", {"input": {TEXT: TEXT}}, 400),
    ("/explain", {"model": "tiny", "input": TEXT, "methods": ["magic"]}, 400),
    ("/explain", {"model": "tiny", "input": TEXT, "label": "none"}, 400),
    ("/explain", {"model": "en-tiny", "input": TEXT}, 400),
    ("/explain", {"model": "tiny", "input": TEXT, "form": "html"}, 200),
    ("/similarity", {"first": TEXT, "second": 7}, 400),
    ("/steps", {"model": "en-tiny", "text": TEXT, "word": "none"}, 400),
    ("/steps", {"model": "en-tiny", "text": TEXT, "layer": 77}, 400),
    ("/steps", {"model": "en-tiny", "text": TEXT, "compare": "no such word"}, 400),
    ("/search", {"query": TEXT, "where": "none ="}, 400),
    ("/search", {"query": TEXT, "n": 0}, 400),
    ("/search", {"query": TEXT}, 200),
]


@pytest.mark.parametrize(("path", "asked", "status"), ASKED, ids=[f"{i} {p}" for i, (p, _, _) in enumerate(ASKED)])
def test_a_text_is_in_no_error_of_another_field_and_in_no_log(server, path, asked, status):
    found = server.post(path, asked)
    assert found.status == status
    if status != 200:
        assert SECRET not in json.dumps(found.error)
    assert SECRET not in server.log
    assert SECRET not in server.get("/metrics").body.decode()


def test_a_body_that_is_broken_is_not_said_again(server):
    for body in (f'{{"input": "{TEXT}', f'{{"input": "{TEXT}"}} {SECRET}', f"{SECRET}", f'{{"{SECRET}": }}'):
        found = server.post("/predict", body.encode())
        assert (found.status, found.error["code"]) == (400, "not_json")
        assert SECRET not in found.body.decode()


def test_paths_and_questions_that_are_not_ours_are_not_logged(server):
    server.get(f"/{SECRET}?q={SECRET}")
    server.get(f"/v1/models/{SECRET}")
    server.get(f"/card?model={SECRET}")
    server.get(f"/ui/{SECRET}")
    server.get("/health", **{"X-Mine": SECRET, "User-Agent": SECRET, "Referer": SECRET})
    assert SECRET not in server.log


def test_the_log_is_a_line_of_json_for_each_request(start):
    server = start()
    server.post("/predict", {"input": TEXT})
    server.get("/nothing")
    assert server.stop() == 0
    lines = [json.loads(line) for line in server.log.splitlines()[1:]]
    said = [(line["event"], line["method"], line["path"], line["status"]) for line in lines]
    assert said == [("request", "POST", "/predict", 200), ("request", "GET", "other", 404)]
    assert all(line["ms"] >= 0 and line["time"].endswith("Z") for line in lines)


def test_a_quiet_log_is_quiet(start):
    server = start("--log-level", "warning")
    server.post("/predict", {"input": TEXT})
    assert server.stop() == 0
    assert len(server.log.splitlines()) == 1


def test_a_fault_of_ours_is_said_without_a_word_of_the_text(tiny_folder, monkeypatch, caplog):
    """A model that breaks: the client hears that it is our fault, the log says where, neither says the text."""
    from fastapi.testclient import TestClient

    from heedful.runtime.model import Model
    from heedful.serve.app import create_app
    from heedful.serve.logs import JsonFormatter
    from heedful.serve.models import ModelRegistry
    from heedful.serve.service import Service
    from heedful.serve.settings import ServeSettings

    def breaks(*_, **__):
        raise RuntimeError(f"cannot read {TEXT}")

    service = Service(ServeSettings(workers=1), ModelRegistry({"tiny": str(tiny_folder)}), {})
    with TestClient(create_app(service), base_url="http://localhost", raise_server_exceptions=False) as client:
        monkeypatch.setattr(Model, "run", breaks)
        for path in ("/predict", "/explain"):
            found = client.post(path, json={"input": TEXT})
            assert found.status_code == 500
            assert found.json()["error"]["type"] == "server_error"
            assert SECRET not in found.text
        monkeypatch.undo()
        assert client.post("/predict", json={"input": TEXT}).status_code == 200
    lines = [JsonFormatter().format(record) for record in caplog.records]
    faults = [line for line in lines if "unexpected error" in line]
    assert len(faults) == 2
    assert all("RuntimeError" in line and "breaks" in line for line in faults)
    assert not any(SECRET in line for line in lines)
