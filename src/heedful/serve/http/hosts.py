"""Checks the Host header, against DNS rebinding: a web page whose domain name resolves to this server.

IP addresses are always allowed, since such a page has a domain name. Allowed names are localhost and its subdomains,
the host that the server listens on, and those of --allowed-host. A server that listens to other machines also allows
names without a dot, which containers and machines of one network use: nobody outside can own such a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address

from starlette.types import Scope

from heedful.serve.http.errors import Refused

UNCHECKED_PATHS = ("/health", "/ready")  # for probes, which may send any name
MAX_CACHED = 100  # allowed names, so that each is checked once


class HostCheck:
    """Decides which host names are allowed."""

    def __init__(self, listen_host: str, allowed: Sequence[str]) -> None:
        self._names = {
            "localhost",
            listen_host.lower(),
            *(name for name in allowed if not name.startswith((".", "*."))),
        }
        self._suffixes = (".localhost", *(name.removeprefix("*") for name in allowed if name.startswith((".", "*."))))
        self._allows_any = "*" in allowed
        self._allows_dotless = not _is_loopback(listen_host)
        self._cache: set[bytes] = set()

    def refusal(self, scope: Scope, host: bytes | None) -> Refused | None:
        """Return the refusal of a request; None if its host is allowed. `host` is the last value of the header."""
        if host in self._cache and _count_hosts(scope) == 1:
            return None
        if scope["path"] in UNCHECKED_PATHS:
            return None
        if (n := _count_hosts(scope)) != 1 and not (n == 0 and scope.get("http_version") == "1.0"):
            message = f"The request has {n} Host headers; expected 1." if n else "HTTP/1.1 requires a Host header."
            return Refused(400, message, code="bad_host", headers={"Connection": "close"})
        name = host_name(host or b"")
        if n and not self._is_allowed(name):
            message = (
                f"The host {name[:80]!r} is not allowed. To allow it, start the server with "
                f"--allowed-host {name[:80] or 'NAME'}."
            )
            return Refused(421, message, code="host_not_allowed")
        if host is not None and len(self._cache) < MAX_CACHED:
            self._cache.add(host)
        return None

    def _is_allowed(self, name: str) -> bool:
        if self._allows_any or name in self._names or name.endswith(self._suffixes):
            return True
        if self._allows_dotless and name and "." not in name and ":" not in name:
            return True
        return _is_address(name)


def host_name(host: bytes) -> str:
    """Return the name in a Host header, without its port."""
    text = host.decode("latin-1").strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.rpartition(":")[0].rstrip(".") if text.count(":") == 1 else text.rstrip(".")


def _count_hosts(scope: Scope) -> int:
    return sum(name == b"host" for name, _ in scope["headers"])


def _is_address(name: str) -> bool:
    try:
        ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def _is_loopback(listen_host: str) -> bool:
    try:
        return ip_address(listen_host).is_loopback
    except ValueError:
        return listen_host.lower() == "localhost"
