"""A lock on an output path, released when the process that holds it ends."""

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
INSIDE = ".heedful.lock"  # in a folder that is written in place, such as an index


def try_lock(handle: int) -> bool | None:
    """Lock an open file. Return False if another process holds the lock, None if locks are not supported.

    They are not on Windows.
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
def exclusive_lock(target: Path, *, inside: bool = False, error: type[HeedfulError] = HeedfulError) -> Iterator[None]:
    """Hold the lock on `target`; raise `error` with the process id of the holder if it is taken.

    The lock is a file beside the target, or in it. The operating system releases it when the process ends.
    """
    target = target.absolute()
    file = target / INSIDE if inside else target.with_name(f".{target.name}{SUFFIX}")
    created: list[Path] = []
    try:
        handle = _acquired(file, target, created, error)
        try:
            yield
        finally:
            with suppress(OSError):
                file.unlink()
            os.close(handle)
    finally:
        for folder in reversed(created):
            with suppress(OSError):  # something was written into it
                folder.rmdir()


def _acquired(file: Path, target: Path, created: list[Path], error: type[HeedfulError]) -> int:
    while True:
        try:
            _make_parents(file.parent, created)
            handle = os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        except OSError as fault:
            raise error(f"{target} cannot be written: {reason(fault)}") from None
        try:
            if try_lock(handle) is False:
                raise error(
                    f"{target} is being written by {_holder(handle)}. Wait until it is done, or choose another path"
                )
            if _is_there(handle, file):  # else the previous holder removed the file after we had opened it
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
    with suppress(OSError):  # on a full disk the lock still holds, without the name of its holder
        os.ftruncate(handle, 0)
        since = time.strftime("%Y-%m-%d %H:%M:%S")
        os.pwrite(handle, f"process {os.getpid()} on {socket.gethostname()} since {since}".encode(), 0)


def _holder(handle: int) -> str:
    with suppress(OSError):
        if signed := os.pread(handle, 300, 0).decode("utf-8", "replace").strip():
            return signed
    return "another process"


def _make_parents(folder: Path, created: list[Path]) -> None:
    """Create a folder and its parents, and record the created ones, outermost first."""
    for missing in reversed([missing for missing in (folder, *folder.parents) if not missing.exists()]):
        missing.mkdir(exist_ok=True)
        created.append(missing)
