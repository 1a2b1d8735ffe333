"""The name that a client calls the server by: its own, or none."""

from __future__ import annotations

import pytest
from tests.serve.running import raw_request, read_answer

from heedful.serve.http.hosts import HostCheck, host_name

BODY = b'{"input": "a"}'


def scope(*hosts, path="/predict", version="1.1"):
    return {"path": path, "http_version": version, "headers": [(b"host", host.encode()) for host in hosts]}


def status(hosts, *given, **how):
    asked = scope(*given, **how)
    refused = hosts.refusal(asked, dict(asked["headers"]).get(b"host"))
    return refused.status if refused else 200


@pytest.mark.parametrize(
    ("host", "name"),
    [
        (b"Localhost:8080", "localhost"),
        (b"a.example.", "a.example"),
        (b"a.example.:80", "a.example"),
        (b"[::1]:8080", "::1"),
        (b"127.0.0.1", "127.0.0.1"),
        (b"", ""),
    ],
)
def test_the_name_is_what_stands_before_the_port(host, name):
    assert host_name(host) == name


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost", 200),
        ("localhost:9000", 200),
        ("LOCALHOST", 200),
        ("me.localhost", 200),
        ("127.0.0.1:8192", 200),
        ("[::1]:8192", 200),
        ("10.1.2.3", 200),  # a page has a name, and nobody can lead an address elsewhere
        ("attacker.example:8192", 421),
        ("localhost.attacker.example", 421),
        ("notlocalhost", 421),
        ("127.0.0.1.attacker.example", 421),
        ("heedful", 421),
        ("", 421),
    ],
)
def test_a_server_for_this_machine_is_called_by_names_of_this_machine(host, expected):
    assert status(HostCheck("127.0.0.1", ()), host) == expected
    assert status(HostCheck("127.0.0.1", ()), host, path="/health") == 200


def test_a_server_for_others_also_takes_names_without_a_dot():
    hosts = HostCheck("0.0.0.0", ())
    assert status(hosts, "heedful:8080") == 200  # as containers call each other
    assert status(hosts, "192.168.1.5:8080") == 200
    assert status(hosts, "attacker.example") == 421


def test_other_names_are_allowed_by_name_by_ending_or_all():
    hosts = HostCheck("127.0.0.1", ("models.example.com", ".svc.cluster.local", "*.b.example"))
    assert status(hosts, "models.example.com") == 200
    assert status(hosts, "heedful.default.svc.cluster.local:80") == 200
    assert status(hosts, "a.b.example") == 200
    assert status(hosts, "other.example.com") == 421
    assert status(HostCheck("127.0.0.1", ("*",)), "anything.example") == 200


def test_one_name_is_needed_and_no_more():
    hosts = HostCheck("127.0.0.1", ())
    assert status(hosts) == 400
    assert status(hosts, version="1.0") == 200
    assert status(hosts, "localhost", "localhost") == 400
    assert status(hosts, "localhost") == 200
    assert status(hosts, "localhost", "localhost") == 400  # also once the name is known
    assert status(hosts, "attacker.example", "localhost") == 400


@pytest.mark.slow
def test_a_page_whose_name_was_led_here_gets_nothing(server):
    for path in ("/v1/models", "/card", "/search", "/indexes", "/", "/metrics"):
        found = server.get(path, Host="attacker.example:8192")
        assert (found.status, found.error["code"]) == (421, "host_not_allowed")
        assert "--allowed-host attacker.example" in found.error["message"]
    assert server.get("/health", Host="anything.example").status == 200
    assert server.get("/ready", Host="anything.example").status == 200


@pytest.mark.slow
@pytest.mark.parametrize("hosts", ["", "Host: localhost\r\nHost: localhost\r\n"], ids=["none", "two"])
def test_a_request_without_a_name_or_with_two_is_refused(server, hosts):
    with server.connect() as connection:
        head = f"POST /predict HTTP/1.1\r\n{hosts}Content-Type: application/json\r\nContent-Length: {len(BODY)}\r\n\r\n"
        connection.sendall(head.encode() + BODY)
        found = read_answer(connection)
    assert (found.status, found.error["code"]) == (400, "bad_host")


@pytest.mark.slow
def test_names_are_allowed_by_flag_and_by_environment(start):
    asked = raw_request("/predict", BODY).replace(b"Host: localhost", b"Host: b.example:80")
    flags = ("--allowed-host", "a.example", "--allowed-host", "b.example")
    for server in (start(*flags), start(env={"HEEDFUL_ALLOWED_HOST": "a.example, b.example"})):
        with server.connect() as connection:
            connection.sendall(asked)
            assert read_answer(connection).status == 200
