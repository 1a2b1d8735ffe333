"""Standard output and standard error, made ready for what they are connected to: a full disk, nothing, ASCII."""

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
    """Standard output that does not take what was asked for."""


class _Around:
    """A stream whose `write` and `flush` are another's."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class AnswerStream(_Around):
    """Standard output: it says what is wrong with it in one line. A closed pipe is left to `cli/main.py`."""

    def write(self, text: str) -> int:
        """Write, or raise OutputError."""
        return _named(lambda: self._stream.write(text))

    def flush(self) -> None:
        """Write what is held, or raise OutputError."""
        _named(self._stream.flush)


class NoteStream(_Around):
    """Standard error: where it does not take a note, the note is lost and the work goes on."""

    def write(self, text: str) -> int:
        """Write if that is possible."""
        with suppress(OSError, ValueError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Write what is held, if that is possible."""
        with suppress(OSError, ValueError):
            self._stream.flush()


class ClosedStream(io.StringIO):
    """Standard output that was closed before the command began (`>&-`)."""

    def write(self, _: str, /) -> int:
        """Raise."""
        raise OutputError("standard output is closed, so there is no place for the answer")


class NoStream(io.StringIO):
    """Standard error that was closed before the command began."""

    def write(self, text: str, /) -> int:
        """Take it and keep nothing."""
        return len(text)


@contextmanager
def prepared_streams() -> Iterator[None]:
    """Replace sys.stdout and sys.stderr. Characters that their encoding does not have become question marks."""
    for handle in (0, 1, 2):  # else the next file that is opened would take a number that was closed
        _occupy(handle)
    before = sys.stdout, sys.stderr
    for stream in before:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    # Python's types do not say so, but both are None where they were closed.
    sys.stdout = ClosedStream() if before[0] is None else cast("TextIO", AnswerStream(before[0]))
    sys.stderr = NoStream() if before[1] is None else cast("TextIO", NoteStream(before[1]))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def abandon_stdout() -> None:
    """Let what is still held for stdout go nowhere, so that Python does not stumble over it while it shuts down."""
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
