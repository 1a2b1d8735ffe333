"""Reloads models in the background. A load that hangs delays no other model."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Any

from heedful.serve.metrics import Metrics
from heedful.serve.models import ModelRegistry
from heedful.serve.threads import run_in_own_thread, run_off_loop

PATIENCE = 5.0  # seconds that other models wait for a running load
MAX_HANGING = 3  # running loads of one model, each in a thread that may never end
log = logging.getLogger("heedful.serve")


class ModelReloader:
    """Reloads models, usually one after the other."""

    def __init__(self, registry: ModelRegistry, metrics: Metrics, *, seconds: float) -> None:
        self._registry, self._metrics, self._seconds = registry, metrics, seconds
        self._load_lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._running: Counter[str] = Counter()  # loads by model
        self._unreadable: set[str] = set()  # models whose folders cannot be read

    @property
    def loading(self) -> int:
        """Number of running loads."""
        return self._running.total()

    async def load(self, names: Sequence[str] | None = None) -> None:
        """Reload models, all of them by default. If a load fails, the old model stays and the error is logged."""
        names = [served.name for served in self._registry] if names is None else names
        await asyncio.gather(*(self._load(name) for name in names))

    def schedule(self, names: Sequence[str] | None = None) -> None:
        """Reload models in the background."""
        self._start(self.load(names))

    async def watch(self, *, seconds: float) -> None:
        """Reload models whose folders change, for ever. A folder must be unchanged between two looks first."""
        previous: dict[str, Any] = {}
        while True:
            await asyncio.sleep(seconds)
            try:
                changed = await run_off_loop(self._registry.changed_folders)
            except Exception as error:
                log.error("cannot watch the model folders", extra={"error": type(error).__name__})
                continue
            self._log_unreadable({name for name, state in changed.items() if state is None})
            stable = [name for name, state in changed.items() if state is not None and previous.get(name) == state]
            self.schedule([name for name in stable if not self._running[name]])
            previous = changed

    def close(self) -> None:
        """Cancel all waiting."""
        for task in self._tasks:
            task.cancel()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _load(self, name: str) -> None:
        async with self._load_lock:
            if self._running[name] >= MAX_HANGING:
                self._record_failure(name, f"{MAX_HANGING} earlier loads of it still hang: restart the server")
                return
            self._running[name] += 1
            load = asyncio.wrap_future(run_in_own_thread(partial(self._registry.reload, name)))
            load.add_done_callback(lambda done: self._end(name, done))
            await asyncio.wait([load], timeout=min(PATIENCE, self._seconds))
        if not load.done():
            await asyncio.wait([load], timeout=self._seconds - PATIENCE)
        if not load.done():
            self._registry.discard_load(name)
            self._record_failure(name, f"it was not loaded within {self._seconds:g} s")
        elif not load.cancelled() and (error := load.exception()) is not None:
            self._record_failure(name, str(error))  # a half-written folder can raise anything
        else:
            log.info("model reloaded", extra={"model": name})
            self._metrics.model_loads.labels(name, "ok").inc()

    def _end(self, name: str, load: asyncio.Future[Any]) -> None:
        self._running[name] -= 1
        if not load.cancelled():
            load.exception()  # marks it as retrieved

    def _record_failure(self, name: str, reason: str) -> None:
        log.error("model not reloaded", extra={"model": name, "error": reason})
        self._metrics.model_loads.labels(name, "failed").inc()

    def _log_unreadable(self, unreadable: set[str]) -> None:
        for name in unreadable - self._unreadable:
            log.warning("cannot read the folder of a model", extra={"model": name})
        self._unreadable = unreadable
