"""How many connections the system lets the process have: each is an open file."""

from __future__ import annotations

import logging
from typing import NamedTuple

BACKLOG = 4096  # connections that wait to be taken, and that may be taken at once
OTHER_FILES = 128  # models, indexes, logs
log = logging.getLogger("heedful.serve")


class Room(NamedTuple):
    """How many connections may be open, and how many may wait to be taken."""

    connections: int
    backlog: int


def room_for(connections: int) -> Room:
    """Return how many connections there is room for: as many as asked for, where the system allows it."""
    wanted = connections + BACKLOG + OTHER_FILES
    limit = _raised(wanted)
    if limit is None or limit >= wanted:
        return Room(connections, BACKLOG)
    room = max(2, limit - OTHER_FILES)
    backlog = max(1, min(BACKLOG, room // 4))
    most = min(connections, room - backlog)
    if most < connections:
        said = {"open_files": limit, "asked": connections, "connections": most}
        log.warning("fewer connections than asked for: the limit of open files is low (ulimit -n)", extra=said)
    return Room(most, backlog)


def _raised(wanted: int) -> int | None:
    """Return the limit of open files, raised where it is lower and may be; None where there is none."""
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
