"""Threads that a stop does not wait for: whatever runs in them, in native code too, the process can end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import cache
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")
Task = tuple["Future[Any]", Callable[[], Any]]
ASIDE = 4  # threads for what would hold up the event loop


class NativeError(RuntimeError):
    """What native code raised outside of Exception, such as a panic in Rust."""


class DaemonThreads(Executor):
    """As ThreadPoolExecutor, but the interpreter does not wait for these threads when it ends."""

    def __init__(self, n: int, name: str) -> None:
        self._n, self._name, self._lock = n, name, Lock()
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self.busy = 0  # tasks that wait or are under way

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run a call in one of the threads."""
        future: Future[T] = Future()
        with self._lock:
            self.busy += 1
            if self.busy > len(self._threads) and len(self._threads) < self._n:
                thread = Thread(target=self._work, name=f"{self._name}-{len(self._threads)}", daemon=True)
                self._threads.append(thread)
                thread.start()
        self._tasks.put((future, lambda: fn(*args, **kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the threads end when they are free. They are not waited for, whatever `wait` says."""
        del wait, cancel_futures
        for _ in self._threads:
            self._tasks.put(None)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            future, call = task
            try:
                if future.set_running_or_notify_cancel():
                    outcome(future, call)
            finally:
                with self._lock:
                    self.busy -= 1
            del task, future, call  # or the last result would be kept until there is a next


def outcome(future: Future[Any], call: Callable[[], Any]) -> None:
    """Put what a call gives, or raises, into a future."""
    try:
        found = call()
    except Exception as error:
        future.set_exception(error)
    except BaseException as error:
        future.set_exception(native(error))
    else:
        future.set_result(found)


def native(error: BaseException) -> NativeError:
    """Return a fault of native code as an Exception. Its message may hold a text, so only its kind is kept."""
    return NativeError(f"{type(error).__name__} in native code").with_traceback(error.__traceback__)


@cache
def _aside() -> DaemonThreads:
    return DaemonThreads(ASIDE, "aside")


def busy_aside() -> int:
    """Return how many calls are run beside the event loop."""
    return _aside().busy


async def aside(call: Callable[..., T], *args: Any) -> T:
    """Return what a call gives that is run beside the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_aside(), call, *args)


def alone(call: Callable[[], T]) -> Future[T]:
    """Run a call in a thread of its own: it may never end, and nobody else waits for it."""
    future: Future[T] = Future()
    Thread(target=outcome, args=(future, call), name="alone", daemon=True).start()
    return future
