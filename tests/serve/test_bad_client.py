"""One client that asks for all it can, or for nothing, does not keep others from their answers."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
import time
from contextlib import ExitStack

import pytest
from tests.serve.running import WORDS, Running, is_closed, raw_request, read_answer, wait_for

from heedful.serve.http.bodies import run_for_client
from heedful.serve.http.errors import Refused
from heedful.serve.http.file_limit import BACKLOG, OTHER_FILES, connection_limits
from heedful.serve.http.protocol import SILENT_SECONDS

pytestmark = pytest.mark.slow

HEAVY = {"model": "tiny", "input": [" ".join([WORDS] * 35)] * 16, "methods": ["leave-one-out"]}


@pytest.fixture(scope="module")
def one_thread(tiny_folder):
    """A server as on two cores: one thread for calls; with a budget that lets a call take minutes."""
    limits = ("--workers", "2", "--explain-tokens", "1000000000", "--connections", "8")
    with Running(tiny_folder, "en-tiny", *limits) as it:
        yield it
        assert '"level": "error"' not in it.log


def test_a_long_explanation_does_not_hold_up_short_ones(one_thread):
    with one_thread.connect() as connection:
        connection.sendall(raw_request("/explain", json.dumps(HEAVY).encode()))
        wait_for(lambda: one_thread.figure("heedful_open_calls") == 1)
        for _ in range(5):
            assert one_thread.post("/explain", {"model": "tiny", "input": "two words"}).status == 200
            assert one_thread.post("/predict", {"model": "tiny", "input": "two words"}).status == 200
            assert one_thread.get("/card").status == 200
        assert one_thread.figure("heedful_open_calls") == 1  # the long one is still there
    wait_for(lambda: one_thread.figure("heedful_open_calls") == 0)


def test_silent_connections_are_closed_for_others_the_oldest_first(one_thread):
    with ExitStack() as stack:
        silent = [stack.enter_context(one_thread.connect()) for _ in range(8)]
        time.sleep(2 * SILENT_SECONDS)  # until then a request may be on its way
        assert one_thread.post("/predict", {"model": "tiny", "input": "two words"}).status == 200
        assert is_closed(silent[0])
        silent[-1].sendall(raw_request("/predict", b'{"model": "tiny", "input": "a"}'))
        assert read_answer(silent[-1]).status == 200  # the youngest was kept


def test_unfinished_requests_are_closed_for_others(one_thread):
    with ExitStack() as stack:
        for _ in range(12):
            stack.enter_context(one_thread.connect()).sendall(raw_request("/predict", b"{", length=100))
        assert one_thread.get("/health").status == 200
        assert one_thread.post("/predict", {"model": "tiny", "input": "two words"}).status == 200


def test_health_and_readiness_are_answered_however_many_connect(one_thread):
    stop = threading.Event()

    def flood():
        while not stop.is_set():
            with ExitStack() as stack:
                for _ in range(50):
                    stack.enter_context(one_thread.connect())

    flooding = threading.Thread(target=flood)
    flooding.start()
    try:
        answered = 0
        for _ in range(40):
            try:
                assert one_thread.get("/health").status == 200
                assert one_thread.get("/ready").status == 200
                answered += 1
            except ConnectionError:  # closed as the oldest of those that were silent: a probe asks again
                pass
        assert answered > 0
    finally:
        stop.set()
        flooding.join()


def test_where_few_files_may_be_open_it_is_said_and_everybody_is_answered(tiny_folder):
    """A thousand silent connections under `ulimit -n 256`: nobody is left without an answer."""
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256)); "
        "from heedful.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )

    class Limited(Running):
        command = (sys.executable, "-c", script)

    with Limited(tiny_folder) as server, ExitStack() as stack:
        wait_for(lambda: "ulimit -n" in server.log)
        for _ in range(400):
            stack.enter_context(server.connect())
        time.sleep(2 * SILENT_SECONDS)
        assert server.post("/predict", {"input": "two words"}).status == 200
        assert server.get("/health").status == 200
        assert "out of system resource" not in server.log


def test_the_limit_of_open_files_is_raised_where_it_may_be():
    script = (
        "import resource; soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (300, hard))\n"
        "from heedful.serve.http.file_limit import connection_limits\n"
        "print(hard, *connection_limits(500), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60).stdout
    hard, connections, backlog, soft = map(int, said.split())
    if hard == -1 or hard >= 500 + BACKLOG + OTHER_FILES:
        assert (connections, backlog, soft) == (500, BACKLOG, 500 + BACKLOG + OTHER_FILES)
    else:
        assert connections + backlog + OTHER_FILES <= soft == hard


def test_with_few_files_there_are_fewer_connections(monkeypatch):
    monkeypatch.setattr("heedful.serve.http.file_limit._raise_limit", lambda _: 1024)
    room = connection_limits(1000)
    assert room.connections + room.backlog + OTHER_FILES <= 1024
    assert room.connections >= 500


@pytest.mark.parametrize("name", ["gradient", "integrated"])
def test_gradients_are_off_unless_asked_for_at_the_start(one_thread, name):
    found = one_thread.post("/explain", {"model": "tiny", "input": "a", "methods": ["leave-one-out", name]})
    assert (found.status, found.error["code"], found.error["param"]) == (400, "method_off", "methods")
    assert "--gradients" in found.error["message"]


def test_what_takes_too_long_is_504_and_makes_room(start, tiny_folder):
    server = start(tiny_folder, "--workers", "1", "--explain-tokens", "1000000000", "--request-seconds", "0.3")
    found = server.post("/explain", HEAVY)
    assert (found.status, found.error["code"]) == (504, "deadline_exceeded")
    assert "0.3 s" in found.error["message"]
    wait_for(lambda: server.figure("heedful_open_calls") == 0)


@pytest.mark.parametrize("clock", [0.0, -1.0])
def test_a_deadline_is_504_whatever_the_clock_of_the_loop_says(clock):
    """uvloop counts in milliseconds: when a timer fires, its clock may still be a fraction before the timer's time."""

    class Loop(asyncio.SelectorEventLoop):
        def time(self):
            return super().time() + offset

    class Client:
        async def receive(self):
            await asyncio.sleep(60)

    offset = 0.0

    async def work():
        nonlocal offset
        asyncio.get_running_loop().call_later(0.01, set_clock)
        with pytest.raises(Refused) as refused:
            await run_for_client(Client(), asyncio.sleep(60), seconds=0.01)
        assert refused.value.status == 504

    def set_clock():
        nonlocal offset
        offset = clock

    with asyncio.Runner(loop_factory=Loop) as runner:
        runner.run(work())


def test_the_budget_is_for_the_whole_request(start):
    text = " ".join(WORDS.split()[:10])
    server = start("--explain-tokens", "250")
    body = {"input": [text] * 4, "methods": ["leave-one-out"]}
    notes = [each["notes"] for each in server.post("/explain", body).json["data"]]
    assert [any("was not done" in note for note in each) for each in notes] == [False, False, True, True]
    assert any("allows 250 per request" in note for note in notes[2])
    plain = server.post("/explain", {"input": [text] * 4}).json["data"]
    assert all(each["contributions"] and not each["notes"] for each in plain)  # one run each: nothing to leave out


def test_each_method_is_computed_once(tiny_folder, monkeypatch):
    from fastapi.testclient import TestClient

    from heedful.serve.app import create_app
    from heedful.serve.models import ModelRegistry
    from heedful.serve.service import Service
    from heedful.serve.settings import ServeSettings
    from heedful.tasks.classify.model import Classifier

    asked, explain = [], Classifier.explain
    monkeypatch.setattr(Classifier, "explain", lambda *a, **k: (asked.append(k["methods"]), explain(*a, **k))[1])
    service = Service(ServeSettings(workers=1), ModelRegistry({"tiny": str(tiny_folder)}), {})
    with TestClient(create_app(service), base_url="http://localhost") as client:
        body = {"input": "two words", "methods": ["leave-one-out", "attention", "leave-one-out", " leave-one-out"]}
        assert client.post("/explain", json=body).status_code == 200
    assert asked == [["leave-one-out", "attention"]]


def test_texts_with_too_many_pairs_of_words_are_422(server):
    found = server.post("/similarity", {"model": "en-tiny", "first": "a " * 40, "second": "b " * 40})
    assert (found.status, found.error["code"]) == (422, "over_budget")
