"""The number of connections that the limit of open files allows."""

from __future__ import annotations

import logging
from typing import NamedTuple

BACKLOG = 4096  # connections that wait to be accepted, and that may be accepted at once
OTHER_FILES = 128  # models, indexes, logs
log = logging.getLogger("heedful.serve")


class ConnectionLimits(NamedTuple):
    """How many connections may be open, and how many may wait to be accepted."""

    connections: int
    backlog: int


def connection_limits(connections: int) -> ConnectionLimits:
    """Return the number of connections asked for, or as many as the system allows."""
    wanted = connections + BACKLOG + OTHER_FILES
    limit = _raise_limit(wanted)
    if limit is None or limit >= wanted:
        return ConnectionLimits(connections, BACKLOG)
    available = max(2, limit - OTHER_FILES)
    backlog = max(1, min(BACKLOG, available // 4))
    allowed = min(connections, available - backlog)
    if allowed < connections:
        fields = {"open_files": limit, "asked": connections, "connections": allowed}
        log.warning("fewer connections than configured: the limit of open files is low (ulimit -n)", extra=fields)
    return ConnectionLimits(allowed, backlog)


def _raise_limit(wanted: int) -> int | None:
    """Raise the limit of open files if possible, and return it; None if the system has none."""
    try:
        import resource
    except ImportError:  # not on this system
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    new = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (new, hard))
    except (OSError, ValueError):
        return soft
    return new
