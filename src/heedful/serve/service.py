"""All that a server has: models, queues, counts. The routes ask it, and know nothing of threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from starlette.requests import Request

from heedful.data.features import Features
from heedful.errors import HeedfulError
from heedful.runtime.cancel import Stopped
from heedful.serve.batching import Gatherer, Runner
from heedful.serve.call_pool import Desk
from heedful.serve.http.bodies import while_there
from heedful.serve.http.errors import Refused
from heedful.serve.logs import SoonWritten
from heedful.serve.metrics import Counts
from heedful.serve.models import Held, Shelf
from heedful.serve.reloads import Reloads
from heedful.serve.settings import ServeSettings
from heedful.serve.threads import aside, busy_aside

if TYPE_CHECKING:
    from heedful.search.index import Index

T = TypeVar("T")
LETTERS = 8  # characters for each token that a text may have: one word of millions would hold up everybody
LONG = 20_000  # characters that are made tokens of beside the event loop, not in it


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
            queue_seconds=settings.queue_seconds,
            wait=settings.wait_ms / 1000,
            told=self.counts.batch,
        )
        self.desk = Desk(
            threads=max(1, settings.n_workers // 2),
            most_waiting=settings.queue_calls,
            most_seconds=settings.request_seconds / 2,
        )
        self.counts.waiting.set_function(lambda: self.gatherer.waiting)
        self.counts.calls.set_function(lambda: self.desk.open)
        self.is_stopping = False
        self.open = 0  # requests that are not answered yet
        self.tasks: set[asyncio.Task[Any]] = set()  # that answer them
        self.is_cut_off = False  # whether those still open get 503 now
        self._reloads = Reloads(shelf, self.counts, seconds=settings.load_seconds)

    async def read(self, held: Held, texts: Sequence[str], *, most: int | None = None) -> Read:
        """Return texts as a model takes them; refuses what is past the limits."""
        self.check_count(texts, most=most)
        self.gatherer.check_room()
        if sum(map(len, texts)) <= LONG:
            return self._read(held, texts)
        return await aside(self._read, held, texts)

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
            await aside(self._check_length, held, *texts)

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
        asked = self.gatherer.submit(runner, features, client=client_of(request))
        return await while_there(request, asked, seconds=self.settings.request_seconds)

    async def call(self, request: Request, work: Callable[[], T], *, cost: int = 0) -> T:
        """Return what a call gives that is run by itself; a fault of the user's becomes a refusal.

        `cost` is about how many tokens it runs.
        """
        try:
            asked = self.desk.call(work, client=client_of(request), cost=cost)
            return await while_there(request, asked, seconds=self.settings.request_seconds)
        except HeedfulError as error:
            raise Refused(400, str(error)) from None
        except Stopped:
            raise Refused(499, "The client is gone.") from None

    async def reload(self, names: Sequence[str] | None = None) -> None:
        """Load models again. One that cannot be loaded stays as it was, and the log says why."""
        await self._reloads.load(names)

    def reload_soon(self) -> None:
        """Load all models again, beside everything else."""
        self._reloads.soon()

    async def watch(self, *, seconds: float = 2.0) -> None:
        """Load again what was written, for ever. A folder is left alone until it has been still for a while."""
        await self._reloads.watch(seconds=seconds)

    def cut_off(self) -> None:
        """Answer all that is still open with 503: the time of a stop is over."""
        self.is_cut_off = True
        for task in list(self.tasks):
            task.cancel()

    @property
    def busy(self) -> bool:
        """Whether a thread is in the middle of work that nobody waits for any more."""
        return bool(self.gatherer.busy or self.desk.busy or self._reloads.loading or busy_aside())

    def close(self) -> None:
        """Let the threads end, and wait for none."""
        self.gatherer.close()
        self.desk.close()
        self._reloads.close()
        self.lines.write()


def client_of(request: Request) -> str:
    """Return who asks: clients take turns. Behind a proxy all have one address, and take turns by request alone."""
    client = request.scope.get("client")
    return client[0] if client else ""
