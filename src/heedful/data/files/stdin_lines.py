"""Standard input, read as it comes: in a pipe, lines are passed on before the next ones are written."""

from __future__ import annotations

import io
import sys
from typing import IO, Any

BLOCK = 2**16  # bytes


class StdinLines(io.BufferedIOBase):
    """Bytes of standard input. Knows whether another line can be read without waiting."""

    def __init__(self, source: Any) -> None:
        self._source = source
        self._rest = b""
        self._has_ended = False

    def readable(self) -> bool:
        """Return True."""
        return True

    @property
    def has_line(self) -> bool:
        """Whether a whole line has arrived that was not read yet."""
        return b"\n" in self._rest or (self._has_ended and bool(self._rest))

    def readline(self, size: int | None = -1, /) -> bytes:
        """Return the next line; wait for it if necessary."""
        limit = sys.maxsize if size is None or size < 0 else size
        parts = [self._rest]
        while b"\n" not in parts[-1] and sum(map(len, parts)) < limit and (block := self._block()):
            parts.append(block)
        whole = b"".join(parts)
        end = min(limit, whole.find(b"\n") + 1 or len(whole))
        self._rest = whole[end:]
        return whole[:end]

    def read(self, size: int | None = -1, /) -> bytes:
        """Return `size` bytes, or all."""
        limit = sys.maxsize if size is None or size < 0 else size
        parts = [self._rest]
        while sum(map(len, parts)) < limit and (block := self._block()):
            parts.append(block)
        whole = b"".join(parts)
        self._rest = whole[limit:]
        return whole[:limit]

    def read1(self, size: int = -1, /) -> bytes:
        """Return the bytes that have arrived, at least one unless the input has ended."""
        whole = self._rest or self._block()
        limit = len(whole) if size < 0 else size
        self._rest = whole[limit:]
        return whole[:limit]

    def _block(self) -> bytes:
        block: bytes = b"" if self._has_ended else self._source.read1(BLOCK)
        self._has_ended = not block
        return block


_OPEN: list[StdinLines] = []  # the one for the present sys.stdin


def stdin_lines() -> IO[bytes]:
    """Return standard input. The same object each time, so that no line is lost between two readers."""
    source = sys.stdin.buffer
    if not _OPEN or _OPEN[0]._source is not source or _OPEN[0].closed:
        _OPEN[:] = [StdinLines(source)]
    return _OPEN[0]  # type: ignore[return-value]


def has_line() -> bool:
    """Return whether a line of standard input can be read without waiting."""
    return bool(_OPEN) and _OPEN[0].has_line
