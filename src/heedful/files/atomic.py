"""Atomic writes: a file is written beside its target, synced to disk, then moved into place.

A file being written is called `.NAME.XXXXXXXX.partial` and is locked. Files left by a killed process have no lock and
are removed when the same target is written again.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from heedful.errors import HeedfulError, reason
from heedful.files.lock import try_lock
from heedful.files.unicode import without_lone_surrogates

PARTIAL = ".partial"
LONGEST = 200  # bytes of a name that leave room for the suffix


class Partial:
    """A temporary file beside its target."""

    def __init__(self, target: Path) -> None:
        self._target = Path(os.path.realpath(target)) if target.is_symlink() else target.absolute()
        if self._target.exists() and not self._target.is_file():
            kind = "a folder" if self._target.is_dir() else "not a regular file"
            raise HeedfulError(f"{target} cannot be written: it is {kind}")
        remove_stale(self._target)
        self.path = self._target.with_name(f"{_prefix(self._target)}{secrets.token_hex(4)}{PARTIAL}")
        self._handle: int | None = _created(self.path)

    def restart(self) -> IO[bytes]:
        """Start over with an empty file, and return the previous one, open for reading."""
        before = self.path.open("rb")
        self._close()
        self.path.unlink()
        self._handle = _created(self.path)
        return before

    def publish(self) -> None:
        """Sync the file to disk and move it to its target."""
        assert self._handle is not None
        os.fsync(self._handle)
        with suppress(OSError):  # keep the permissions of the file that is replaced
            self.path.chmod(stat.S_IMODE(self._target.stat().st_mode))
        self.path.replace(self._target)
        self._close()

    def discard(self) -> None:
        """Remove the file unless it was published."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
        self._close()

    def _close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


@contextmanager
def replacing(target: Path) -> Iterator[Partial]:
    """Yield a temporary file that is moved to `target` at the end, or removed on an error.

    Errors of the file itself name `target`; errors of the caller's block propagate unchanged.
    """
    with naming(target):
        partial = Partial(target)
    try:
        yield partial
        with naming(target):
            partial.publish()
    finally:
        partial.discard()


def write_bytes(target: Path, content: bytes) -> Path:
    """Write a file atomically. A device or a pipe such as /dev/stdout is written directly."""
    with naming(target):
        if target.exists() and not target.is_file() and not target.is_dir():
            target.write_bytes(content)
            return target
        with replacing(target) as partial:
            partial.path.write_bytes(content)
    return target


def write_text(target: Path, content: str) -> Path:
    """Write a text atomically as UTF-8, with U+FFFD for lone surrogates."""
    return write_bytes(target, without_lone_surrogates(content).encode())


@contextmanager
def naming(target: Path) -> Iterator[None]:
    """Turn an OSError into an error that names the target file."""
    try:
        yield
    except OSError as error:
        raise HeedfulError(f"{target} cannot be written: {reason(error)}") from None


def remove_stale(target: Path) -> None:
    """Remove partial files of `target` left by processes that have ended."""
    prefix = _prefix(target)
    with suppress(OSError):
        for file in list(target.parent.iterdir()):
            if file.name.startswith(prefix) and file.name.endswith(PARTIAL):
                _remove_unlocked(file)


def _remove_unlocked(file: Path) -> None:
    with suppress(OSError):
        handle = os.open(file, os.O_RDWR)
        try:
            if try_lock(handle):
                file.unlink()
        finally:
            os.close(handle)


def _created(path: Path) -> int:
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        try_lock(handle)
        if os.name == "nt" or os.fstat(handle).st_nlink:  # else it was removed as stale before it was locked
            return handle
        os.close(handle)


def _prefix(target: Path) -> str:
    name = os.fsencode(target.name)
    return f".{target.name}." if len(name) <= LONGEST else f".{hashlib.sha256(name).hexdigest()[:32]}."
