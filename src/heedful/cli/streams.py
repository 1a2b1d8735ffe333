"""Standard output and standard error that handle full disks, closed streams and limited encodings."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, TypeVar, cast

from heedful.errors import HeedfulError, reason

T = TypeVar("T")


class OutputError(HeedfulError):
    """Standard output cannot be written."""


class _Around:
    """A wrapper of a stream."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class AnswerStream(_Around):
    """Standard output with one-line errors. A closed pipe is left to `cli/main.py`."""

    def write(self, text: str) -> int:
        """Write, or raise OutputError."""
        return _named(lambda: self._stream.write(text))

    def flush(self) -> None:
        """Flush, or raise OutputError."""
        _named(self._stream.flush)


class NoteStream(_Around):
    """Standard error; a note that cannot be written is dropped."""

    def write(self, text: str) -> int:
        """Write, if possible."""
        with suppress(OSError, ValueError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, if possible."""
        with suppress(OSError, ValueError):
            self._stream.flush()


class ClosedStream(io.StringIO):
    """Standard output that was closed before the command started (`>&-`)."""

    def write(self, _: str, /) -> int:
        """Raise."""
        raise OutputError("standard output is closed, so the result cannot be printed")


class NoStream(io.StringIO):
    """Standard error that was closed before the command started."""

    def write(self, text: str, /) -> int:
        """Discard the text."""
        return len(text)


@contextmanager
def prepared_streams() -> Iterator[None]:
    """Replace sys.stdout and sys.stderr. Characters missing from their encoding become question marks."""
    for handle in (0, 1, 2):  # otherwise the next opened file would get the number of a closed stream
        _occupy(handle)
    before = sys.stdout, sys.stderr
    for stream in before:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    # Both are None if they were closed, which the type stubs do not show.
    sys.stdout = ClosedStream() if before[0] is None else cast("TextIO", AnswerStream(before[0]))
    sys.stderr = NoStream() if before[1] is None else cast("TextIO", NoteStream(before[1]))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def abandon_stdout() -> None:
    """Discard the buffer of stdout, so that Python does not fail to flush it at shutdown."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _occupy(handle: int) -> None:
    try:
        os.fstat(handle)
    except OSError:
        nowhere = os.open(os.devnull, os.O_RDWR)
        if nowhere != handle:
            os.dup2(nowhere, handle)
            os.close(nowhere)


def _named(write: Callable[[], T]) -> T:
    try:
        return write()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"standard output cannot be written: {reason(error)}") from None
