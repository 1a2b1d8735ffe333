"""Capture of RDKit's log.

RDKit's log is global to the process: capturing it swaps a stream for every thread. If two threads did so at the same
time, one could be left with a stream that no longer exists, which crashes the process. So every RDKit call that may
write to the log goes through `quietly`, one at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext
from threading import RLock
from typing import TypeVar

from heedful.errors import need

T = TypeVar("T")
_lock = RLock()


def quietly(call: Callable[[], T]) -> tuple[T, str]:
    """Return the result of a call, and the messages that RDKit would have printed."""
    base = need("rdkit.rdBase", feature="Reading molecules", extra="molecules")
    with (
        _lock,
        base.BlockLogs(),
        getattr(base, "CaptureErrorLog", nullcontext)() as log,  # older versions cannot capture it
    ):
        result = call()
        messages = str(getattr(log, "messages", ""))
    return result, messages


def _new_lock() -> None:
    """Replace the lock in a forked child: the thread that held it may not exist there."""
    global _lock
    _lock = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_new_lock)
