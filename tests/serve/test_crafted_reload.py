"""A served folder is replaced by one made to do harm: the server says so in one line, answers on, and stops on time."""

from __future__ import annotations

import signal

import pytest
from benchmarks.crafted import CASES, craft
from tests.serve.running import wait_for

pytestmark = pytest.mark.slow

ASKED = {"input": "the best parcel came on monday"}


@pytest.mark.parametrize("way", ["SIGHUP", "watch"])
def test_a_crafted_folder_is_refused_while_requests_are_answered(start, tiny_folder, tiny_copy, tmp_path, way):
    server = start(tiny_copy, "--stop-seconds", "3", *(["--watch", "--watch-seconds", "0.2"] if way == "watch" else []))
    before = server.post("/predict", ASKED).json["data"][0]
    names = [name for name, case in CASES.items() if case.of == "words" and not case.on_gradient]
    for count, name in enumerate(names, start=1):
        crafted = craft(tiny_folder, tmp_path / name, CASES[name])
        tiny_copy.rename(tmp_path / f"{name}-before")
        crafted.rename(tiny_copy)
        if way == "SIGHUP":
            server.process.send_signal(signal.SIGHUP)
        wait_for(lambda wanted=count: server.log.count("model not reloaded") >= wanted)
        assert server.post("/predict", ASKED).json["data"][0] == before, name
    assert server.get("/ready").status == 200
    assert server.stop() == 0
