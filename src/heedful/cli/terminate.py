"""SIGTERM handled like Ctrl-C, so that the process cleans up before it ends."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE = 10.0  # seconds to wait for native code before the process ends anyway


class Terminated(KeyboardInterrupt):
    """Raised in the main thread by SIGTERM."""


@contextmanager
def stopped_by_sigterm() -> Iterator[None]:
    """Let SIGTERM raise Terminated; a second one, or native code that does not return, ends the process."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:  # another handler is installed
        yield
        return
    read, write = os.pipe()
    os.set_blocking(write, False)
    signal.signal(signal.SIGTERM, _terminated)
    before = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(read,), name="sigterm", daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.close(write)  # which ends the thread


def _terminated(_: int, __: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise Terminated


def _watch(read: int) -> None:
    """End the process if the main thread stays in native code, where handlers do not run, for too long."""
    while numbers := os.read(read, 64):
        if signal.SIGTERM in numbers and _waits():
            threading.Event().wait(PATIENCE)
            if _waits():
                os._exit(128 + signal.SIGTERM)
    os.close(read)


def _waits() -> bool:
    """Return whether the main thread has not handled the signal yet."""
    return signal.getsignal(signal.SIGTERM) is _terminated
