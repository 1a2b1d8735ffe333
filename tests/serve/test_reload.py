"""Models are swapped while requests run: none fails, and a folder that is broken changes nothing."""

from __future__ import annotations

import asyncio
import shutil
import signal
import threading
import time

import pytest
from tests.conftest import train_tiny
from tests.serve.running import wait_for

pytestmark = pytest.mark.slow

ASKED = {"input": "the best parcel came on monday"}


@pytest.fixture(scope="module")
def other_folder(tmp_path_factory):
    """A model with other weights."""
    return train_tiny(tmp_path_factory.mktemp("other") / "tiny", seed=5, epochs=1)


def put(source, place):
    """Put a copy of a folder in the place of another, as `mv` does: files keep their times."""
    new, old = place.with_name("new"), place.with_name("old")
    shutil.copytree(source, new)
    place.rename(old)
    new.rename(place)
    shutil.rmtree(old)


class Asking:
    """Somebody who asks all the time."""

    def __init__(self, server):
        self.server, self.found, self.going = server, [], True
        self.thread = threading.Thread(target=self._ask)

    def _ask(self):
        while self.going:
            self.found.append(self.server.post("/predict", ASKED))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.going = False
        self.thread.join()
        assert {each.status for each in self.found} == {200}


def answer(server):
    return server.post("/predict", ASKED).json["data"][0]


@pytest.mark.parametrize("way", ["SIGHUP", "watch"])
def test_a_model_is_swapped_while_requests_run(start, tiny_copy, other_folder, way):
    server = start(tiny_copy, *(["--watch"] if way == "watch" else []))
    before = answer(server)
    with Asking(server):
        put(other_folder, tiny_copy)
        if way == "SIGHUP":
            server.process.send_signal(signal.SIGHUP)
        wait_for(lambda: answer(server) != before)
    assert server.figure("heedful_model_loads_total", model="copy", result="ok") == 1
    assert '"event": "model reloaded"' in server.log
    assert server.stop() == 0


def test_a_model_that_is_trained_anew_is_taken(start, tiny_copy):
    server = start(tiny_copy, "--watch")
    before = answer(server)
    with Asking(server):
        new = train_tiny(tiny_copy.with_name("trained"), seed=3, epochs=1)
        from heedful.store.folder import write_folder

        write_folder(tiny_copy, {file.name: file.read_bytes() for file in new.iterdir()}, overwrite=True)
        wait_for(lambda: answer(server) != before)


def test_a_broken_folder_leaves_the_model_that_was_there(start, tiny_copy, other_folder):
    server = start(tiny_copy, "en-tiny", "--watch")
    before = answer(server)
    graph = next(tiny_copy.glob("*.onnx"))
    with Asking(server):
        graph.write_bytes(graph.read_bytes()[:1000])
        wait_for(lambda: "model not reloaded" in server.log)
        assert answer(server) == before
        assert server.figure("heedful_model_loads_total", model="copy", result="failed") == 1
        assert server.get("/ready").status == 200
        shutil.rmtree(tiny_copy)
        server.process.send_signal(signal.SIGHUP)
        wait_for(lambda: server.log.count("model not reloaded") > 1)
        assert answer(server) == before
        shutil.copytree(other_folder, tiny_copy)
        wait_for(lambda: answer(server) != before)
    assert server.get("/card?model=copy").status == 200


def test_a_broken_folder_is_complained_of_once(tiny_copy):
    from heedful.errors import HeedfulError
    from heedful.serve.models import ModelRegistry

    registry = ModelRegistry({"copy": str(tiny_copy)})
    assert registry.changed() == []
    graph = next(tiny_copy.glob("*.onnx"))
    graph.write_bytes(graph.read_bytes()[:1000])
    assert registry.changed() == ["copy"]
    with pytest.raises(HeedfulError):
        registry.reload("copy")
    assert registry.changed() == []
    graph.touch()
    assert registry.changed() == ["copy"]


def test_an_older_folder_is_another_folder(tiny_copy, other_folder):
    from heedful.serve.models import ModelRegistry

    registry = ModelRegistry({"copy": str(tiny_copy)})
    put(other_folder, tiny_copy)
    assert registry.changed() == ["copy"]
    assert registry.reload("copy") is registry.get("copy")
    assert registry.changed() == []


def test_reloads_that_meet_wait_for_each_other(tiny_folder, monkeypatch):
    from heedful.serve.models import ModelRegistry
    from heedful.serve.service import Service
    from heedful.serve.settings import ServeSettings

    registry, running, most = ModelRegistry({"one": str(tiny_folder), "two": str(tiny_folder)}), [], []

    def load(name):
        running.append(name)
        most.append(len(running))
        time.sleep(0.02)
        running.remove(name)

    monkeypatch.setattr(registry, "reload", load)

    async def reload_all():
        service = Service(ServeSettings(), registry, {})
        await asyncio.gather(*(service.reload() for _ in range(3)))
        service.close()

    asyncio.run(reload_all())
    assert most == [1] * 6  # two at a time, and each would put its own model among those that it had found
