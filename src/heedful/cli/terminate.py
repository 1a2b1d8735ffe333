"""SIGTERM as Ctrl-C: what was begun is taken back before the process ends."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE = 10.0  # seconds that native code may take before the process ends without it


class Terminated(KeyboardInterrupt):
    """Raised in the main thread by SIGTERM."""


@contextmanager
def stopped_by_sigterm() -> Iterator[None]:
    """Let SIGTERM raise Terminated; a second one, or native code that does not come back, ends the process at once."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:  # somebody else has a use for it
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
    """End the process where the main thread is in native code for too long: only there a handler does not run."""
    while numbers := os.read(read, 64):
        if signal.SIGTERM in numbers and _waits():
            threading.Event().wait(PATIENCE)
            if _waits():
                os._exit(128 + signal.SIGTERM)
    os.close(read)


def _waits() -> bool:
    """Return whether a signal has come and the main thread has not seen it."""
    return signal.getsignal(signal.SIGTERM) is _terminated
