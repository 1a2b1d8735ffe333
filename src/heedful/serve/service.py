"""All that a server has: models, queues, counts. The routes ask it, and know nothing of threads."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from starlette.requests import Request

from heedful.data.items import Features
from heedful.errors import HeedfulError
from heedful.runtime.stop import Stopped
from heedful.serve.desk import Desk
from heedful.serve.faults import Refused
from heedful.serve.gather import Gatherer, Runner
from heedful.serve.logs import SoonWritten
from heedful.serve.settings import ServeSettings
from heedful.serve.shelf import Held, Shelf
from heedful.serve.watch import Counts
from heedful.serve.wire import while_there

if TYPE_CHECKING:
    from heedful.search.index import Index

T = TypeVar("T")
LETTERS = 8  # characters for each token that a text may have: one word of millions would hold up everybody
LONG = 20_000  # characters that are made tokens of beside the event loop, not in it
log = logging.getLogger("heedful.serve")


class Read(NamedTuple):
    """Texts as a model takes them."""

    features: Sequence[Features]
    tokens: int
    cut: list[int]  # which were longer than the model reads


class Service:
    """What a server holds."""

    def __init__(
        self, settings: ServeSettings, shelf: Shelf, indexes: Mapping[str, Index], keys: Sequence[bytes] = ()
    ) -> None:
        self.settings, self.shelf, self.indexes, self.keys = settings, shelf, dict(indexes), tuple(keys)
        self.counts, self.lines = Counts(), SoonWritten()
        self.gatherer = Gatherer(
            workers=settings.n_workers,
            batch_tokens=settings.batch_tokens,
            queue_tokens=settings.queue_tokens,
            queue_requests=settings.queue_requests,
            wait=settings.wait_ms / 1000,
            told=self.counts.batch,
        )
        self.desk = Desk(threads=max(1, settings.n_workers // 2), most_waiting=settings.queue_calls)
        self.counts.waiting.set_function(lambda: self.gatherer.waiting)
        self.counts.calls.set_function(lambda: self.desk.open)
        self.is_stopping = False
        self.open = 0  # requests that are not answered yet
        self._reloading = asyncio.Lock()  # or an older model could take the place of a newer one

    async def read(self, held: Held, texts: Sequence[str], *, most: int | None = None) -> Read:
        """Return texts as a model takes them; refuses what is past the limits."""
        self.check_count(texts, most=most)
        self.gatherer.check_room()
        if sum(map(len, texts)) <= LONG:
            return self._read(held, texts)
        return await asyncio.to_thread(self._read, held, texts)

    def check_count(self, texts: Sequence[Any], *, most: int | None = None) -> None:
        """Refuse too many texts."""
        most = most or self.settings.max_texts
        if len(texts) > most:
            said = f"There are {len(texts):,} texts; at most {most:,} go into one request. Send them in several."
            raise Refused(400, said, param="input", code="too_many_texts")

    async def check_length(self, held: Held, *texts: str) -> None:
        """Refuse a text that is too long to be made tokens of."""
        if sum(map(len, texts)) <= LONG:
            self._check_length(held, *texts)
        else:
            await asyncio.to_thread(self._check_length, held, *texts)

    def _check_length(self, held: Held, *texts: str) -> None:
        most, count = self.settings.max_tokens, getattr(held.model.featuriser, "count", len)
        for i, text in enumerate(texts):
            if len(text) > most * LETTERS:
                said = f"Text {i} has {len(text):,} characters; at most {most * LETTERS:,} are taken. Split it."
                raise Refused(400, said, param="input", code="text_too_long")
            if len(text) > most and (n := count(text)) > most:
                said = f"Text {i} has {n:,} tokens; at most {most:,} are taken. Split it."
                raise Refused(400, said, param="input", code="text_too_long")

    def _read(self, held: Held, texts: Sequence[str]) -> Read:
        self._check_length(held, *texts)
        features = held.model.featurise(texts)
        most = held.model.featuriser.max_tokens
        full = [i for i, each in enumerate(features) if len(each) == most]
        cut = [i for i in full if held.model.featuriser.is_cut(texts[i])]
        return Read(features, sum(map(len, features)), cut)

    async def rows(self, request: Request, runner: Runner, features: Sequence[Features]) -> NDArray[np.float32]:
        """Return a row for each text: at once where nobody else is here, else run together with those of others."""
        await asyncio.sleep(0)  # requests that came in with this one are counted now
        if self.open == 1 and (found := self.gatherer.at_once(runner, features)) is not None:
            return found
        return await while_there(request, self.gatherer.submit(runner, features))

    async def call(self, work: Callable[[], T]) -> T:
        """Return what a call gives that is run by itself; a fault of the user's becomes a refusal."""
        try:
            return await self.desk.call(work)
        except HeedfulError as error:
            raise Refused(400, str(error)) from None
        except Stopped:
            raise Refused(499, "The client is gone.") from None

    async def reload(self, names: Sequence[str] | None = None) -> None:
        """Load models again, one after the other. One that cannot be loaded stays as it was, and the log says why."""
        for name in [held.name for held in self.shelf] if names is None else names:
            try:
                async with self._reloading:
                    await asyncio.to_thread(self.shelf.reload, name)
            except Exception as error:  # a folder half written may be broken in any way
                log.error("model not loaded again", extra={"model": name, "error": str(error)})
                self.counts.loads.labels(name, "failed").inc()
            else:
                log.info("model loaded again", extra={"model": name})
                self.counts.loads.labels(name, "ok").inc()

    async def watch(self, *, seconds: float = 2.0) -> None:
        """Load again what was written, for ever. A folder is left alone until it has been still for a while."""
        seen: list[str] = []
        while True:
            await asyncio.sleep(seconds)
            changed = await asyncio.to_thread(self.shelf.changed)
            await self.reload([name for name in changed if name in seen])
            seen = changed

    def close(self) -> None:
        """Wait for what is under way."""
        self.gatherer.close()
        self.desk.close()
        self.lines.write()
