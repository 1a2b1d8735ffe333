"""Freed memory goes back to the system, where the C library is glibc."""

import subprocess
import sys
from threading import Event

import pytest

from heedful.serve import heap

CHURN = """
import ctypes
from threading import Thread
from heedful.serve.heap import MAX_HEAPS, limit_heaps

limit_heaps()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]

def work():
    blocks = [libc.malloc(1000) for _ in range(2000)]
    for block in blocks:
        libc.free(block)

threads = [Thread(target=work) for _ in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
libc.fopen.restype = ctypes.c_void_p
libc.fclose.argtypes = [ctypes.c_void_p]
libc.malloc_info.argtypes = [ctypes.c_int, ctypes.c_void_p]
import tempfile
with tempfile.NamedTemporaryFile() as file:
    stream = libc.fopen(file.name.encode(), b"w")
    libc.malloc_info(0, stream)
    libc.fclose(stream)
    heaps = file.read().decode().count("<heap nr=")
assert heaps <= MAX_HEAPS, heaps
"""


@pytest.mark.skipif(heap._glibc() is None, reason="needs glibc")
def test_many_threads_share_few_heaps():
    done = subprocess.run([sys.executable, "-c", CHURN], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(heap._glibc() is None, reason="needs glibc")
def test_heaps_are_trimmed_until_the_server_stops(monkeypatch):
    stop, trimmed = Event(), Event()

    class Library:
        def malloc_trim(self, kept):
            assert kept == 0
            trimmed.set()

    monkeypatch.setattr(heap, "_glibc", Library)
    heap.trim_heaps_regularly(stop, seconds=0.001)
    assert trimmed.wait(60)
    stop.set()


def test_another_c_library_changes_nothing(monkeypatch):
    monkeypatch.setattr(heap, "_glibc", lambda: None)
    heap.limit_heaps()
    heap.trim_heaps_regularly(Event())
