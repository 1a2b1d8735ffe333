"""What the server says of itself."""

from __future__ import annotations

import json
import re

import pytest
from prometheus_client.parser import text_string_to_metric_families

pytestmark = pytest.mark.slow


def test_it_lives_and_is_ready(server):
    assert server.get("/health").json == {"status": "ok"}
    assert server.get("/ready").json["status"] == "ready"


def test_models_say_what_they_can_be_asked_for(server):
    found = {each["id"]: each for each in server.get("/v1/models").json["data"]}
    assert server.get("/models").json == server.get("/v1/models").json
    does = {name: each["does"] for name, each in found.items()}
    assert does == {
        "tiny": ["embeddings", "predict", "explain"],
        "many": ["embeddings", "predict", "explain"],
        "price": ["embeddings", "predict", "explain"],
        "pair": ["predict", "explain"],
        "tagger": ["predict", "explain"],
        "encoder": ["embeddings", "similarity", "steps"],
        "en-tiny": ["embeddings", "similarity", "steps"],
        "en-base": ["embeddings", "similarity"],
    }
    assert found["tiny"]["labels"] == ["bad", "good"]
    assert found["many"]["many"] is True
    assert (found["en-tiny"]["n_layers"], found["en-tiny"]["n_heads"]) == (2, 4)
    assert (found["en-base"]["n_layers"], found["en-base"]["vector_width"]) == (0, 384)
    assert found["tiny"]["verdict"]["level"] == "not audited"


def test_a_card_says_all_that_its_folder_says(server, models):
    for name, model in models.items():
        found = server.get(f"/card?model={name}").json
        assert found["id"] == name
        assert found["labels"] == list(model.labels)
        assert found["config"] == json.loads(json.dumps(model.config.to_dict()))
        assert found["bytes"] > 1000
    assert "#" in server.get("/card?model=en-base").json["readme"]
    assert server.get("/card").json["id"] == "tiny"
    assert server.get("/card?model=none").error["code"] == "model_not_found"


def test_a_card_has_the_words_that_drive_each_label_as_they_are_drawn(server, models):
    words = server.get("/card?model=tiny").json["words"]
    assert {part["label"] for part in words["labels"]} == {"bad", "good"} and words["account"]
    listed = [word for part in words["labels"] for side in ("supporting", "opposing") for word in part[side]]
    assert listed and all(-1 <= word["shade"] <= 1 and word["number"] and word["interval"] for word in listed)
    assert server.get("/card?model=en-base").json["words"] is None


def test_a_card_does_not_say_where_on_the_machine_it_is(server, folders):
    body = server.get("/card?model=tiny").body.decode() + server.get("/v1/models").body.decode()
    assert str(folders["tiny"].parent) not in body


def test_counts_are_counted(server):
    path = {"path": "/predict", "status": "200"}
    before, tokens = server.figure("heedful_requests_total", **path), server.figure("heedful_tokens_total")
    assert server.post("/predict", {"model": "tiny", "input": ["the parcel", "came"]}).status == 200
    assert server.figure("heedful_requests_total", **path) == before + 1
    assert server.figure("heedful_tokens_total") == tokens + 3
    assert server.figure("heedful_request_seconds_count", path="/predict") > 0
    assert server.figure("heedful_batch_texts_count") > 0


def test_figures_are_in_the_form_of_prometheus_and_few(server):
    for i in range(30):
        server.get(f"/nothing/{i}")
        server.get(f"/v1/models/nothing-{i}")
        server.get(f"/ui/nothing-{i}")
    found = server.get("/metrics")
    assert found.headers["content-type"].startswith("text/plain; version=0.0.4")
    families = list(text_string_to_metric_families(found.body.decode()))
    assert len(families) > 6
    assert "nothing" not in found.body.decode()


def test_the_description_holds_for_every_path(server):
    tree = server.get("/openapi.json").json
    assert tree["openapi"].startswith("3.")
    paths = {"/v1/embeddings", "/v1/models", "/predict", "/explain", "/similarity", "/steps", "/search", "/card"}
    assert paths <= set(tree["paths"])
    page = server.get("/docs").body.decode()
    assert all(f"{path}</code>" in page for path in tree["paths"])


def test_the_page_of_the_api_needs_no_other_host(server):
    found = server.get("/docs")
    assert found.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in found.headers["content-security-policy"]
    assert set(re.findall(r"(?:https?:)?//[\w.-]+", found.body.decode())) <= {"http://www.w3.org"}
    assert "<script" not in found.body.decode()


@pytest.mark.parametrize("path", ["/health", "/v1/models", "/nothing", "/docs", "/"])
def test_every_answer_is_guarded(server, path):
    headers = server.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "path",
    [
        "/ui/../app.py",
        "/ui/%2e%2e/app.py",
        "/ui/..%2fapp.py",
        "/ui/%2fetc%2fpasswd",
        "/ui/",
        "/ui/app.py",
        "/..",
        "/ui/lib",
        "/ui/lib/",
        "/ui/lib/../../app.py",
        "/ui/lib/%2e%2e/%2e%2e/app.py",
        "/ui//app.js",
    ],
)
def test_no_other_file_is_served(server, path):
    assert server.get(path).status == 404
    assert server.get(path).error["message"]


def test_the_page_is_asked_for_again_only_where_it_changed(server):
    found = server.get("/")
    assert found.status == 200
    again = server.ask("GET", "/", headers={"If-None-Match": found.headers["etag"]})
    assert (again.status, again.body) == (304, b"")


def test_with_a_key_readiness_names_no_models(start, server):
    assert "tiny" in server.get("/ready").json["models"]
    keyed = start(key="mine")
    keyed.key = None
    assert keyed.get("/ready").json == {"status": "ready"}
