"""One odd model hurts no other: lists, cards and reloads go on, and a fault is logged once."""

from __future__ import annotations

import asyncio
import json
import signal
import threading

import pytest
from tests.serve.running import wait_for

from heedful.serve.http.json_bytes import json_bytes
from heedful.serve.models import ModelRegistry, ServedModel
from heedful.serve.service import Service
from heedful.serve.settings import ServeSettings

BIG = 10**30


def test_json_holds_whatever_a_folder_holds():
    value = {"a\ud800": ["bad\ud800", BIG, -BIG, float("nan"), True, None, 1.5], "b": (1, {"c": "é"})}
    expected = {"a\ufffd": ["bad\ufffd", BIG, -BIG, None, True, None, 1.5], "b": [1, {"c": "é"}]}
    assert json.loads(json_bytes(value)) == expected
    assert json_bytes({"a": 1}) == b'{"a":1}'


def test_arrays_in_an_odd_answer_are_lists():
    import numpy as np

    value = {"a": np.array([1.5, 2.5], np.float32), "b": np.int64(3), "c": "\ud800"}
    assert json.loads(json_bytes(value)) == {"a": [1.5, 2.5], "b": 3, "c": "\ufffd"}


def test_a_model_with_odd_facts_breaks_no_answer(tiny_folder, monkeypatch, caplog):
    """Loading refuses such a folder; if one came through, no other model would suffer, nor would it."""
    from dataclasses import replace

    from fastapi.testclient import TestClient

    from heedful.serve.app import create_app

    registry = ModelRegistry({"good": str(tiny_folder), "odd": str(tiny_folder)})
    model = registry.get("odd").model
    labels = ("bad\ud800", *model.labels[1:])
    monkeypatch.setattr(model, "facts", replace(model.facts, labels=labels, metrics={"big": BIG}, data={"x": "\udfff"}))
    monkeypatch.setattr(model, "answer", replace(model.answer, labels=labels))
    registry._models["odd"] = ServedModel("odd", model)
    assert registry.get("odd").model.labels[0] == "bad\ud800"
    service = Service(ServeSettings(workers=1), registry, {})
    with TestClient(create_app(service), base_url="http://localhost") as client:
        assert [each["id"] for each in client.get("/v1/models").json()["data"]] == ["good", "odd"]
        assert client.get("/card?model=odd").json()["figures"] == {"big": BIG}
        for path in ("/predict", "/explain"):
            found = client.post(path, json={"model": "odd", "input": "the best"})
            assert found.status_code == 200
            assert "bad\ufffd" in found.text
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_a_model_that_cannot_be_described_is_left_out_and_that_is_said_once(tiny_folder, caplog):
    registry = ModelRegistry({"good": str(tiny_folder), "odd": str(tiny_folder)})

    class Odd(ServedModel):
        @property
        def description(self):
            raise ValueError("a secret")

    registry._models["odd"] = Odd("odd", registry.get("odd").model)
    for _ in range(3):
        assert [each["id"] for each in registry.descriptions()] == ["good"]
    assert [record.getMessage() for record in caplog.records] == ["a model cannot be described"]


@pytest.mark.parametrize("kind", [RuntimeError, BaseException], ids=["error", "panic"])
def test_a_fault_is_logged_once_and_has_the_one_form(tiny_folder, monkeypatch, caplog, kind):
    from fastapi.testclient import TestClient

    from heedful.serve.app import create_app

    def breaks(*_, **__):
        raise kind("a secret")

    service = Service(ServeSettings(workers=1), ModelRegistry({"tiny": str(tiny_folder)}), {})
    with TestClient(create_app(service), base_url="http://localhost") as client:
        monkeypatch.setattr(ModelRegistry, "descriptions", breaks)
        monkeypatch.setattr(ServedModel, "card", property(breaks))
        monkeypatch.setattr(ServedModel, "vectors", breaks)
        monkeypatch.setattr(ServedModel, "scores", breaks)
        paths = ["/v1/models", "/card"]
        found = [client.get(path) for path in paths]
        found += [client.post(path, json={"input": "a"}) for path in ("/v1/embeddings", "/predict")]
    for each in found:
        assert each.status_code == 500
        assert each.json()["error"]["type"] == "server_error"
        assert "secret" not in each.text
    assert sum(record.levelname == "ERROR" for record in caplog.records) == len(found)


class Hanging:
    """A registry in which one model never ends loading."""

    def __init__(self, folder):
        self.registry = ModelRegistry({"one": str(folder), "two": str(folder)})
        self.let_go, self.loaded = threading.Event(), []
        self.registry.reload = self.reload

    def reload(self, name):
        if name == "one":
            assert self.let_go.wait(120)
        self.loaded.append(name)


def test_a_model_that_never_ends_loading_holds_up_no_other_and_is_said(tiny_folder, monkeypatch, caplog):
    monkeypatch.setattr("heedful.serve.reloads.PATIENCE", 0.05)
    hanging = Hanging(tiny_folder)

    async def work():
        service = Service(ServeSettings(load_seconds=0.2), hanging.registry, {})
        await service.reload(["one", "two"])
        assert hanging.loaded == ["two"]
        assert service.busy
        await service.reload(["two"])
        for _ in range(5):
            await service.reload(["one"])
        hanging.let_go.set()
        while service.busy:
            await asyncio.sleep(0.001)
        service.close()

    asyncio.run(asyncio.wait_for(work(), 120))
    said = [record.__dict__.get("error", "") for record in caplog.records]
    assert sum("not loaded within 0.2 s" in each for each in said) == 3
    assert sum("earlier loads of it still hang" in each for each in said) == 3  # no more threads are spent on it


def test_a_model_that_is_loaded_too_late_is_not_taken(tiny_folder, monkeypatch):
    registry = ModelRegistry({"one": str(tiny_folder)})
    before, begun, go = registry.get("one"), threading.Event(), threading.Event()
    load = registry._load

    def slow(name):
        begun.set()
        assert go.wait(60)
        return load(name)

    monkeypatch.setattr(registry, "_load", slow)
    faults = []

    def reload():
        try:
            registry.reload("one")
        except Exception as error:
            faults.append(str(error))

    thread = threading.Thread(target=reload)
    thread.start()
    assert begun.wait(60)
    registry.discard_load("one")
    go.set()
    thread.join()
    assert registry.get("one") is before
    assert "too late" in faults[0]


@pytest.mark.slow
def test_links_to_nowhere_and_files_that_cannot_be_read_do_not_switch_watching_off(start, tiny_copy):
    (tiny_copy / ".#README.md").symlink_to("/nonexistent")
    server = start(tiny_copy, "--watch")
    (tiny_copy / ".#facts.json").symlink_to("/nonexistent")
    (tiny_copy / "secret").write_text("x")
    (tiny_copy / "secret").chmod(0)
    wait_for(lambda: '"event": "model reloaded"' in server.log)
    readme = tiny_copy / "README.md"
    readme.write_text("# another")
    wait_for(lambda: server.log.count('"event": "model reloaded"') > 1)


@pytest.mark.slow
def test_a_hanging_reload_does_not_hold_up_a_stop(tiny_folder):
    """As a graph with an endless loop would: the load is in a thread that never ends."""
    import sys

    from tests.serve.running import Running

    script = (
        "import sys, threading; from heedful.serve.models import ModelRegistry; from heedful.cli.main import main\n"
        "ModelRegistry.reload = lambda self, name: threading.Event().wait()\n"
        "sys.exit(main(sys.argv[1:]))"
    )

    class Hung(Running):
        command = (sys.executable, "-c", script)

    with Hung(tiny_folder, "--load-seconds", "0.5", "--stop-seconds", "1") as server:
        server.process.send_signal(signal.SIGHUP)
        wait_for(lambda: "not loaded within 0.5 s" in server.log)
        assert server.post("/predict", {"input": "a"}).status == 200
        assert server.stop() == 0
