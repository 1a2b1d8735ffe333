"""A server that is told to stop answers what it has accepted, and goes quietly."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.serve.running import PATIENCE, WORDS, Running, raw_request, read_answer, wait_for

pytestmark = pytest.mark.slow

LONG = " ".join([WORDS] * 4)
BIG = {"model": "en-base", "input": [LONG] * 128}


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "Ctrl-C"])
def test_what_was_accepted_is_answered(start, sign):
    server = start("en-base", "--batch-tokens", "512", "--workers", "1")
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(server.post, "/v1/embeddings", BIG) for _ in range(4)]
        wait_for(lambda: server.figure("heedful_waiting_tokens") > 3 * 128 * 50)
        assert server.stop(sign) == 0
        found = [each.result() for each in asked]
    assert [each.status for each in found] == [200] * 4
    assert [len(each.json["data"]) for each in found] == [128] * 4
    assert "Traceback" not in server.log
    assert '"level": "error"' not in server.log


def test_an_idle_server_stops_at_once(start):
    server = start()
    with server.connect():
        assert server.stop() == 0
    assert server.log.count("\n") == 1  # where it listened, and nothing else
    with pytest.raises(ConnectionError), socket.create_connection(server.where):
        pass


def test_before_it_stops_it_says_so_to_balancers_and_still_answers(start):
    server = start("--drain-seconds", "500")
    assert server.get("/ready").status == 200
    server.process.send_signal(signal.SIGTERM)
    said = wait_for(lambda: found if (found := server.get("/ready")).status != 200 else None)
    assert (said.status, said.error["message"]) == (503, "The server is stopping.")
    assert server.get("/health").status == 200
    assert server.post("/predict", {"input": "a lovely parcel"}).status == 200
    assert server.stop(signal.SIGINT) == 0  # a second signal ends the wait


def test_when_balancers_had_time_to_hear_it_stops(start):
    assert start("--drain-seconds", "0.2").stop() == 0


def test_a_stop_does_not_wait_for_ever_for_a_client_that_does_not_go_on(start):
    server = start("--stop-seconds", "1")
    with server.connect() as connection:
        connection.sendall(raw_request("/predict", b"{", length=100))
        wait_for(lambda: server.get("/health").status == 200)
        assert server.stop() == 0
    assert "Traceback" not in server.log


def test_a_port_that_is_taken_is_said(server):
    command = [sys.executable, "-m", "heedful", "serve", "en-tiny", "--port", str(server.where[1])]
    found = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert found.returncode != 0
    assert "Traceback" not in found.stderr
    assert "in use" in found.stderr


class Stuck(Running):
    """A server whose explanations never end, as native code may not."""

    command = (
        sys.executable,
        "-c",
        "import sys, threading\n"
        "from heedful.cli.main import main\n"
        "from heedful.tasks.classify.model import Classifier\n"
        "Classifier.explain = lambda *_, **__: threading.Event().wait()\n"
        "sys.exit(main(sys.argv[1:]))",
    )


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "Ctrl-C"])
def test_a_stop_does_not_wait_for_work_that_does_not_end_and_the_last_answer_has_the_one_form(tiny_folder, sign):
    with Stuck(tiny_folder, "--stop-seconds", "1") as server, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(server.post, "/explain", {"input": "two words"})
        wait_for(lambda: server.figure("heedful_open_calls") == 1)
        assert server.stop(sign) == 0
        found = asked.result()
    assert (found.status, found.error["code"], found.error["message"]) == (503, "stopping", "The server is stopping.")
    assert "Traceback" not in server.log
    assert '"status": 503' in server.log or '"status":503' in server.log


def test_a_request_that_is_still_coming_in_is_answered_when_the_time_of_a_stop_is_over(start):
    server = start("--stop-seconds", "1")
    with server.connect() as connection:
        connection.sendall(raw_request("/predict", b"{", length=100))
        wait_for(lambda: server.figure("heedful_held_bytes") > 0)
        assert server.stop() == 0
        found = read_answer(connection)
    assert (found.status, found.error["code"]) == (503, "stopping")
