"""Models are loaded again beside everything else. One that never ends loading holds up nothing but itself."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Any

from heedful.serve.metrics import Counts
from heedful.serve.models import Shelf
from heedful.serve.threads import alone, aside

PATIENCE = 5.0  # seconds that other models wait for one that is being loaded
MOST_STUCK = 3  # loads of one model that may be under way, each in a thread that may never end
log = logging.getLogger("heedful.serve")


class Reloads:
    """Loads models again, as a rule one after the other."""

    def __init__(self, shelf: Shelf, counts: Counts, *, seconds: float) -> None:
        self._shelf, self._counts, self._seconds = shelf, counts, seconds
        self._one = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._under_way: Counter[str] = Counter()
        self._unseen: set[str] = set()  # models whose folders could not be looked at

    @property
    def loading(self) -> int:
        """How many loads are under way."""
        return self._under_way.total()

    async def load(self, names: Sequence[str] | None = None) -> None:
        """Load models again. One that cannot be loaded stays as it was, and the log says why."""
        names = [held.name for held in self._shelf] if names is None else names
        await asyncio.gather(*(self._load(name) for name in names))

    def soon(self, names: Sequence[str] | None = None) -> None:
        """Load models again, beside everything else."""
        self._start(self.load(names))

    async def watch(self, *, seconds: float) -> None:
        """Load again what was written, for ever. A folder is left alone until it has been still for a while."""
        seen: dict[str, Any] = {}
        while True:
            await asyncio.sleep(seconds)
            try:
                changed = await aside(self._shelf.new_looks)
            except Exception as error:
                log.error("folders cannot be looked at", extra={"error": type(error).__name__})
                continue
            self._note_unseen({name for name, look in changed.items() if look is None})
            still = [name for name, look in changed.items() if look is not None and seen.get(name) == look]
            self.soon([name for name in still if not self._under_way[name]])
            seen = changed

    def close(self) -> None:
        """Wait for nothing more."""
        for task in self._tasks:
            task.cancel()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _load(self, name: str) -> None:
        async with self._one:
            if self._under_way[name] >= MOST_STUCK:
                self._failed(name, f"{MOST_STUCK} loads of it do not end: start the server again")
                return
            self._under_way[name] += 1
            loaded = asyncio.wrap_future(alone(partial(self._shelf.reload, name)))
            loaded.add_done_callback(lambda done: self._ended(name, done))
            await asyncio.wait([loaded], timeout=min(PATIENCE, self._seconds))
        if not loaded.done():
            await asyncio.wait([loaded], timeout=self._seconds - PATIENCE)
        if not loaded.done():
            self._shelf.forget(name)
            self._failed(name, f"it was not loaded within {self._seconds:g} s")
        elif not loaded.cancelled() and (error := loaded.exception()) is not None:
            self._failed(name, str(error))  # a folder half written may be broken in any way
        else:
            log.info("model loaded again", extra={"model": name})
            self._counts.loads.labels(name, "ok").inc()

    def _ended(self, name: str, loaded: asyncio.Future[Any]) -> None:
        self._under_way[name] -= 1
        if not loaded.cancelled():
            loaded.exception()  # it was looked at, or nobody waits for it any more

    def _failed(self, name: str, why: str) -> None:
        log.error("model not loaded again", extra={"model": name, "error": why})
        self._counts.loads.labels(name, "failed").inc()

    def _note_unseen(self, unseen: set[str]) -> None:
        for name in unseen - self._unseen:
            log.warning("folder of a model cannot be looked at", extra={"model": name})
        self._unseen = unseen
