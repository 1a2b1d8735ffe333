"""Returns freed memory of large requests to the system, where the C library is glibc.

glibc keeps freed blocks for later requests, in one heap per thread. Under a flood of mixed sizes these heaps
fragment, and memory grows in steps although nothing is held. Elsewhere both functions do nothing.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from threading import Event, Thread

MAX_HEAPS = 2
OWN_PAGES = 1 << 20  # bytes; larger blocks have pages of their own, which free() returns
TRIM_SECONDS = 30.0
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # numbers of malloc.h


@cache
def _glibc() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None


def limit_heaps() -> None:
    """Limit the number of heaps, and keep large blocks out of them. Call it before threads start."""
    if (library := _glibc()) is not None:
        library.mallopt(_M_ARENA_MAX, MAX_HEAPS)
        library.mallopt(_M_MMAP_THRESHOLD, OWN_PAGES)


def trim_heaps_regularly(stop: Event, seconds: float = TRIM_SECONDS) -> None:
    """Return free pages to the system at intervals, in a thread of its own, until `stop` is set."""
    library = _glibc()
    if library is None:
        return

    def trim() -> None:
        while not stop.wait(seconds):
            library.malloc_trim(0)

    Thread(target=trim, name="trim-heaps", daemon=True).start()
