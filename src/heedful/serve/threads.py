"""Daemon threads: whatever runs in them, native code included, the process can exit without waiting."""

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
OFF_LOOP_THREADS = 4  # for work that would block the event loop


class NativeError(RuntimeError):
    """An error that native code raised outside of Exception, such as a Rust panic."""


class DaemonThreadPool(Executor):
    """Like ThreadPoolExecutor, but the interpreter does not wait for its threads at exit."""

    def __init__(self, n: int, name: str) -> None:
        self._n, self._name, self._lock = n, name, Lock()
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self.busy = 0  # tasks waiting or running

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
        """Let the threads end once they are idle. Never blocks, even with `wait`."""
        del wait, cancel_futures
        for _ in self._threads:
            self._tasks.put(None)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            future, call = task
            try:
                if future.set_running_or_notify_cancel():
                    set_outcome(future, call)
            finally:
                with self._lock:
                    self.busy -= 1
            del task, future, call  # otherwise the last result would stay in memory until the next task


def set_outcome(future: Future[Any], call: Callable[[], Any]) -> None:
    """Make a call and set its result, or its exception, on a future."""
    try:
        result = call()
    except Exception as error:
        future.set_exception(error)
    except BaseException as error:
        future.set_exception(_native_error(error))
    else:
        future.set_result(result)


def _native_error(error: BaseException) -> NativeError:
    """Return an error of native code as an Exception. Its message may contain a text, so only its type is kept."""
    return NativeError(f"{type(error).__name__} in native code").with_traceback(error.__traceback__)


@cache
def _off_loop_pool() -> DaemonThreadPool:
    return DaemonThreadPool(OFF_LOOP_THREADS, "off-loop")


def busy_off_loop() -> int:
    """Return how many calls run outside the event loop."""
    return _off_loop_pool().busy


async def run_off_loop(call: Callable[..., T], *args: Any) -> T:
    """Run a call in a thread, so that it does not block the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_off_loop_pool(), call, *args)


def run_in_own_thread(call: Callable[[], T]) -> Future[T]:
    """Run a call in a new thread, for calls that may never return."""
    future: Future[T] = Future()
    Thread(target=set_outcome, args=(future, call), name="own-thread", daemon=True).start()
    return future
