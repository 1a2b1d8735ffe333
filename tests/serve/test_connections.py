"""Clients that are slow, that go away, or that never meant well: nobody else notices."""

from __future__ import annotations

import asyncio
import json
import select
import socket
import struct
import time
from contextlib import ExitStack

import pytest
from tests.serve.running import PATIENCE, Running, is_closed, raw_request, read_answer, read_answers, wait_for

from heedful.serve.http.protocol import LimitedProtocol
from heedful.serve.models import ModelRegistry
from heedful.serve.server import ACCEPTED_AT_ONCE, Server, uvicorn_config
from heedful.serve.service import Service
from heedful.serve.settings import ServeSettings

pytestmark = pytest.mark.slow

ASKED = json.dumps({"input": "a lovely parcel"}).encode()
PREDICT = raw_request("/predict", ASKED)


@pytest.fixture(scope="module")
def hasty(tiny_folder):
    """A server that waits half a second and no longer."""
    limits = ("--body-seconds", "0.5", "--idle-seconds", "1")
    with Running(tiny_folder, *limits) as it:
        yield it
        assert "Traceback" not in it.log
        assert "Exception" not in it.log


def reset(connection: socket.socket) -> None:
    """Close at once, without a farewell, as a process that is killed does."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def test_a_connection_is_kept_for_the_next_request(server):
    with server.connect() as connection:
        for _ in range(3):
            connection.sendall(PREDICT)
            assert read_answer(connection).status == 200


def test_requests_sent_one_behind_the_other_are_answered_in_order(server):
    with server.connect() as connection:
        texts = ["the best parcel", "the worst parcel", "it was slow"]
        sent = [raw_request("/predict", json.dumps({"model": "tiny", "input": text}).encode()) for text in texts]
        connection.sendall(b"".join(sent))
        found = [answer.json["data"][0] for answer in read_answers(connection, len(texts))]
    assert found == [server.post("/predict", {"model": "tiny", "input": text}).json["data"][0] for text in texts]


def test_a_body_in_single_bytes_is_read(server):
    with server.connect() as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in PREDICT:
            connection.sendall(bytes([byte]))
        assert read_answer(connection).status == 200


def test_a_client_that_asks_whether_it_may_go_on_is_told(server):
    with server.connect() as connection:
        head, body = raw_request("/predict", ASKED, "Expect: 100-continue").split(b"\r\n\r\n")
        connection.sendall(head + b"\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 100 ")
        connection.sendall(body)
        assert read_answer(connection).status == 200


@pytest.mark.parametrize("end", [len(PREDICT) // 4, len(PREDICT) - 5, len(PREDICT)], ids=["head", "body", "answer"])
@pytest.mark.parametrize("leave", [reset, socket.socket.close], ids=["killed", "closed"])
def test_clients_that_go_away_midway_change_nothing_for_others(server, end, leave):
    for _ in range(20):
        connection = server.connect()
        connection.sendall(PREDICT[:end])
        leave(connection)
    assert server.post("/predict", {"input": "a lovely parcel"}).status == 200
    wait_for(lambda: server.figure("heedful_waiting_tokens") == 0 == server.figure("heedful_open_calls"))


def test_a_body_that_does_not_come_is_given_up(hasty):
    with hasty.connect() as connection:
        connection.sendall(PREDICT[:-3])
        found = read_answer(connection)
        assert (found.status, found.headers["connection"]) == (408, "close")
        assert "0.5 s" in found.error["message"]
        assert is_closed(connection)


@pytest.mark.parametrize("start", [b"", b"POST /pre", PREDICT[:60]], ids=["nothing", "half a line", "half a head"])
def test_a_head_that_does_not_come_is_given_up(hasty, start):
    with hasty.connect() as connection:
        connection.sendall(start)
        assert is_closed(connection)


def trickle(connection: socket.socket, parts: bytes) -> bool:
    """Send a little now and then, and return whether the other side has had enough of it."""
    end = time.monotonic() + PATIENCE
    connection.settimeout(0.05)
    try:
        while time.monotonic() < end:
            connection.sendall(parts)
            try:
                if not connection.recv(65_536):
                    return True
            except TimeoutError:
                continue
    except ConnectionError:
        return True
    return False


@pytest.mark.parametrize("part", [b"X-A: b\r\n", b"x"], ids=["lines", "letters"])
def test_a_head_that_comes_in_drops_is_given_up(hasty, part):
    with hasty.connect() as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Y: ")
        assert trickle(connection, part)


def test_empty_lines_do_not_keep_a_connection(hasty):
    with hasty.connect() as connection:
        connection.sendall(PREDICT)
        assert read_answer(connection).status == 200
        assert trickle(connection, b"\r\n")


def test_a_body_that_nobody_reads_does_not_keep_a_connection(hasty):
    with hasty.connect() as connection:
        connection.sendall(raw_request("/health", b"", length=1_000_000, method="GET"))
        assert trickle(connection, b"x")


def test_a_connection_without_requests_is_closed(hasty):
    with hasty.connect() as connection:
        connection.sendall(PREDICT)
        assert read_answer(connection).status == 200
        assert is_closed(connection)


def test_a_client_that_does_not_fetch_its_answer_is_dropped(start):
    server = start("--connections", "1", "--body-seconds", "2", "--idle-seconds", "500", "--max-texts", "20000")
    body = json.dumps({"input": ["a"] * 20_000}).encode()
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(PATIENCE)
        connection.connect(server.where)
        connection.sendall(raw_request("/v1/embeddings", body))
        assert select.select([connection], [], [], PATIENCE)[0]  # the answer begins to come
        assert server.post("/predict", {"input": "a"}).status == 429
        wait_for(lambda: server.post("/predict", {"input": "a"}).status == 200)


def unread_answer(server, stack):
    """Ask for a large answer and do not fetch it: the connection is in use, and cannot be closed for another."""
    connection = stack.enter_context(socket.socket())
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(PATIENCE)
    connection.connect(server.where)
    connection.sendall(raw_request("/v1/embeddings", json.dumps({"input": ["a"] * 20_000}).encode()))
    assert select.select([connection], [], [], PATIENCE)[0]  # the answer begins to come


def test_past_the_number_of_connections_the_answer_is_429_in_the_same_form_and_counted(start):
    server = start("--connections", "3", "--body-seconds", "500", "--max-texts", "20000")
    with ExitStack() as used:
        for _ in range(3):
            unread_answer(server, used)
        found = server.post("/predict", {"input": "a"})
        assert found.status == 429
        assert "connections" in found.error["message"]
        assert found.headers["retry-after"] == "1"
        assert server.get("/health").status == 200  # always
        assert server.get("/ready").status == 200
    wait_for(lambda: server.post("/predict", {"input": "a"}).status == 200)
    assert server.figure("heedful_requests_total", path="other", status="429") >= 1


@pytest.mark.parametrize(
    "sent",
    [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"HELLO\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x00" * 100],
    ids=["tls", "no HTTP", "HTTP 9.9", "zeros"],
)
def test_what_is_not_http_is_told_so_in_the_same_form(server, sent):
    with server.connect() as connection:
        connection.sendall(sent)
        found = read_answer(connection)
        assert found.status == 400
        assert found.error["message"]
        assert is_closed(connection)


@pytest.mark.parametrize(
    "flood",
    [b"X-%d: %s\r\n" % (7, b"a" * 1000), b"a" * 1000],
    ids=["many headers", "one header without end"],
)
def test_a_flood_of_headers_is_refused(server, flood):
    with server.connect() as connection:
        try:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Y: ")
            for _ in range(20_000):  # 20 MB
                connection.sendall(flood)
        except ConnectionError:
            return
        found = read_answer(connection)
        assert found.status in (400, 431), found.status


def test_headers_after_a_body_in_chunks_are_not_collected_for_ever(server):
    with server.connect() as connection, pytest.raises(ConnectionError):
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
        for _ in range(20_000):  # 20 MB
            connection.sendall(b"X-Y: " + b"a" * 1000 + b"\r\n")


def test_many_connections_are_accepted_in_one_turn_of_the_event_loop(tiny_folder):
    """libuv accepts one for each descriptor: with one, clients of a busy server would wait for seconds."""
    uvloop = pytest.importorskip("uvloop")
    service = Service(ServeSettings(workers=1, port=0), ModelRegistry({"tiny": str(tiny_folder)}), {})
    addresses: list[str] = []
    server = Server(uvicorn_config(service, backlog=128), service, addresses.append)

    async def accepted() -> int:
        server.config.load()
        server.lifespan = server.config.lifespan_class(server.config)
        await server.startup()
        port = int(addresses[0].rpartition(":")[2])
        with ExitStack() as stack:
            for _ in range(ACCEPTED_AT_ONCE):
                stack.enter_context(socket.create_connection(("127.0.0.1", port)))  # the system accepts for us
            for _ in range(3):
                await asyncio.sleep(0)
            n = len(LimitedProtocol.open)
        await server.shutdown()
        return n

    assert uvloop.run(accepted()) >= ACCEPTED_AT_ONCE
