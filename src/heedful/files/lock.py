"""One process at a time: a lock on a place that is written to. It goes with the process that holds it."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from heedful.errors import HeedfulError, reason

SUFFIX = ".lock"
INSIDE = ".heedful.lock"  # in a folder that stays where it is, such as an index


def try_lock(handle: int) -> bool | None:
    """Lock an open file and return True; False where another has it, None where the file system knows no locks.

    On Windows there are none.
    """
    if sys.platform == "win32":
        return None
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


@contextmanager
def only_one(target: Path, *, inside: bool = False, error: type[HeedfulError] = HeedfulError) -> Iterator[None]:
    """Let no other process or thread write to `target`; raise `error`, with the number of the process, where one does.

    The lock is a file beside the target, or in it. The system drops the lock when the process ends, however it ends.
    """
    target = target.absolute()
    file = target / INSIDE if inside else target.with_name(f".{target.name}{SUFFIX}")
    made: list[Path] = []
    try:
        handle = _acquired(file, target, made, error)
        try:
            yield
        finally:
            with suppress(OSError):
                file.unlink()
            os.close(handle)
    finally:
        for folder in reversed(made):
            with suppress(OSError):  # something was written into it
                folder.rmdir()


def _acquired(file: Path, target: Path, made: list[Path], error: type[HeedfulError]) -> int:
    while True:
        try:
            _make_parents(file.parent, made)
            handle = os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        except OSError as fault:
            raise error(f"{target} cannot be written: {reason(fault)}") from None
        try:
            if try_lock(handle) is False:
                raise error(
                    f"{target} is being written by {_holder(handle)}. Wait until it is done, or choose another place"
                )
            if _is_there(handle, file):  # else the one before removed it between our two steps
                _sign(handle)
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _is_there(handle: int, file: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), file.stat())
    except FileNotFoundError:
        return False


def _sign(handle: int) -> None:
    with suppress(OSError):  # a full disk: the lock holds, only nobody can read whose it is
        os.ftruncate(handle, 0)
        since = time.strftime("%Y-%m-%d %H:%M:%S")
        os.pwrite(handle, f"process {os.getpid()} on {socket.gethostname()} since {since}".encode(), 0)


def _holder(handle: int) -> str:
    with suppress(OSError):
        if signed := os.pread(handle, 300, 0).decode("utf-8", "replace").strip():
            return signed
    return "another process"


def _make_parents(folder: Path, made: list[Path]) -> None:
    """Make a folder, and note those that were not there, the outermost first."""
    for one in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        one.mkdir(exist_ok=True)
        made.append(one)
