"""The name that a client called the server by. A page elsewhere whose name is led here (DNS rebinding) is refused.

An address in figures is always right: such a page has a name. A name is right where it is localhost or below it, the
one that the server listens at, or one of --allowed-host. A server that listens to other machines also takes names
without a dot, as containers and machines of one network call each other: nobody from outside can own such a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address

from starlette.types import Scope

from heedful.serve.http.errors import Refused

ALWAYS = ("/health", "/ready")  # for probes, which may send anything
MOST_KNOWN = 100  # names that were found right, so that each is looked at once


class Hosts:
    """Which names are right."""

    def __init__(self, listens_at: str, allowed: Sequence[str]) -> None:
        self._names = {"localhost", listens_at.lower(), *(each for each in allowed if not each.startswith((".", "*.")))}
        self._ends = (".localhost", *(each.removeprefix("*") for each in allowed if each.startswith((".", "*."))))
        self._takes_any = "*" in allowed
        self._takes_short = not _is_loopback(listens_at)
        self._known: set[bytes] = set()

    def refused(self, scope: Scope, host: bytes | None) -> Refused | None:
        """Return why a request is refused; None where its name is right. `host` is the header's last value."""
        if host in self._known and _count(scope) == 1:
            return None
        if scope["path"] in ALWAYS:
            return None
        if (n := _count(scope)) != 1 and not (n == 0 and scope.get("http_version") == "1.0"):
            said = f"There are {n} Host headers; expected one." if n else "There is no Host header; HTTP/1.1 needs one."
            return Refused(400, said, code="bad_host", headers={"Connection": "close"})
        name = name_of(host or b"")
        if n and not self._is_right(name):
            said = (
                f"This server is not called {name[:80]!r}. If it should be, start it with "
                f"--allowed-host {name[:80] or 'NAME'}."
            )
            return Refused(421, said, code="host_not_allowed")
        if host is not None and len(self._known) < MOST_KNOWN:
            self._known.add(host)
        return None

    def _is_right(self, name: str) -> bool:
        if self._takes_any or name in self._names or name.endswith(self._ends):
            return True
        if self._takes_short and name and "." not in name and ":" not in name:
            return True
        return _is_address(name)


def name_of(host: bytes) -> str:
    """Return the name in a Host header, without its port."""
    text = host.decode("latin-1").strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.rpartition(":")[0].rstrip(".") if text.count(":") == 1 else text.rstrip(".")


def _count(scope: Scope) -> int:
    return sum(name == b"host" for name, _ in scope["headers"])


def _is_address(name: str) -> bool:
    try:
        ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def _is_loopback(listens_at: str) -> bool:
    try:
        return ip_address(listens_at).is_loopback
    except ValueError:
        return listens_at.lower() == "localhost"
