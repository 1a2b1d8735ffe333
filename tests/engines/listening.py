"""Which addresses a process and its children listen on, from /proc."""

from __future__ import annotations

import socket
import struct
from pathlib import Path

LISTEN = "0A"


def listening(pid: int) -> dict[str, set[str]]:
    """Return the addresses by the name of the process that listens on them."""
    names = {_inode: name for one in (pid, *children(pid)) for _inode, name in _sockets(one)}
    found: dict[str, set[str]] = {}
    for table, size in (("tcp", 8), ("tcp6", 32)):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            cells = line.split()
            if cells[3] == LISTEN and cells[9] in names:
                found.setdefault(names[cells[9]], set()).add(_address(cells[1].split(":")[0], size))
    return found


def children(pid: int) -> list[int]:
    """Return all processes below one."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit():
                parents.setdefault(int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]), []).append(
                    int(folder.name)
                )
        except OSError:  # gone meanwhile
            continue
    below, todo = [], [pid]
    while todo:
        some = parents.get(todo.pop(), [])
        below += some
        todo += some
    return below


def _sockets(pid: int) -> list[tuple[str, str]]:
    found = []
    try:
        name = Path(f"/proc/{pid}/comm").read_text().strip()
        for handle in Path(f"/proc/{pid}/fd").iterdir():
            target = str(handle.readlink())
            if target.startswith("socket:["):
                found.append((target[8:-1], name))
    except OSError:
        pass
    return found


def _address(text: str, size: int) -> str:
    words = [int(text[i : i + 8], 16) for i in range(0, size, 8)]
    raw = b"".join(struct.pack("=I", word) for word in words)
    return socket.inet_ntop(socket.AF_INET if size == 8 else socket.AF_INET6, raw)
