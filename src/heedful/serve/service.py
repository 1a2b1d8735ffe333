"""The state of a server: models, queues, metrics. Routes call it and know nothing about threads."""

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
from heedful.serve.batching import Batcher, Runner
from heedful.serve.call_pool import CallPool
from heedful.serve.http.bodies import run_for_client
from heedful.serve.http.errors import Refused
from heedful.serve.logs import BufferedLog
from heedful.serve.metrics import Metrics
from heedful.serve.models import ModelRegistry, ServedModel
from heedful.serve.reloads import ModelReloader
from heedful.serve.settings import ServeSettings
from heedful.serve.threads import busy_off_loop, run_off_loop

if TYPE_CHECKING:
    from heedful.search.index import Index

T = TypeVar("T")
CHARACTERS_PER_TOKEN = 8  # limit: tokenising a word of millions of characters would block everybody
INLINE_CHARACTERS = 20_000  # longer inputs are tokenised outside the event loop


class TokenisedTexts(NamedTuple):
    """The features of the texts of a request."""

    features: Sequence[Features]
    n_tokens: int
    truncated: list[int]  # indexes of texts longer than the model's limit


class Service:
    """The state of a server, and the work that requests share."""

    def __init__(
        self, settings: ServeSettings, models: ModelRegistry, indexes: Mapping[str, Index], keys: Sequence[bytes] = ()
    ) -> None:
        self.settings, self.models, self.indexes, self.keys = settings, models, dict(indexes), tuple(keys)
        self.metrics, self.request_log = Metrics(), BufferedLog()
        self.batcher = Batcher(
            workers=settings.n_workers,
            batch_tokens=settings.batch_tokens,
            queue_tokens=settings.queue_tokens,
            queue_requests=settings.queue_requests,
            queue_seconds=settings.queue_seconds,
            wait=settings.wait_ms / 1000,
            on_batch=self.metrics.record_batch,
        )
        self.call_pool = CallPool(
            threads=max(1, settings.n_workers // 2),
            max_waiting=settings.queue_calls,
            max_wait_seconds=settings.request_seconds / 2,
        )
        self.metrics.waiting_tokens.set_function(lambda: self.batcher.waiting)
        self.metrics.open_calls.set_function(lambda: self.call_pool.open)
        self.is_stopping = False
        self.open_requests = 0  # not answered yet
        self.tasks: set[asyncio.Task[Any]] = set()  # of open requests
        self.is_aborting = False  # whether open requests get 503 now
        self._reloader = ModelReloader(models, self.metrics, seconds=settings.load_seconds)

    async def tokenise(
        self, served: ServedModel, texts: Sequence[str], *, max_texts: int | None = None
    ) -> TokenisedTexts:
        """Return the features of texts; refuse texts that exceed the limits."""
        self.check_text_count(texts, max_texts=max_texts)
        self.batcher.check_capacity()
        if sum(map(len, texts)) <= INLINE_CHARACTERS:
            return self._tokenise(served, texts)
        return await run_off_loop(self._tokenise, served, texts)

    def check_text_count(self, texts: Sequence[Any], *, max_texts: int | None = None) -> None:
        """Refuse too many texts."""
        limit = max_texts or self.settings.max_texts
        if len(texts) > limit:
            message = f"The request has {len(texts):,} texts; send at most {limit:,} in one request."
            raise Refused(400, message, param="input", code="too_many_texts")

    async def check_length(self, served: ServedModel, *texts: str) -> None:
        """Refuse texts that are too long."""
        if sum(map(len, texts)) <= INLINE_CHARACTERS:
            self._check_length(served, *texts)
        else:
            await run_off_loop(self._check_length, served, *texts)

    def _check_length(self, served: ServedModel, *texts: str) -> None:
        max_tokens, count = self.settings.max_tokens, getattr(served.model.featuriser, "count", len)
        max_characters = max_tokens * CHARACTERS_PER_TOKEN
        for i, text in enumerate(texts):
            if len(text) > max_characters:
                message = f"Text {i} has {len(text):,} characters; the limit is {max_characters:,}. Split it."
                raise Refused(400, message, param="input", code="text_too_long")
            if len(text) > max_tokens and (n_tokens := count(text)) > max_tokens:
                message = f"Text {i} has {n_tokens:,} tokens; the limit is {max_tokens:,}. Split it."
                raise Refused(400, message, param="input", code="text_too_long")

    def _tokenise(self, served: ServedModel, texts: Sequence[str]) -> TokenisedTexts:
        self._check_length(served, *texts)
        features = served.model.featurise(texts)
        limit = served.model.featuriser.max_tokens
        full = [i for i, text in enumerate(features) if len(text) == limit]
        truncated = [i for i in full if served.model.featuriser.is_cut(texts[i])]
        return TokenisedTexts(features, sum(map(len, features)), truncated)

    async def run_batched(self, request: Request, runner: Runner, features: Sequence[Features]) -> NDArray[np.float32]:
        """Return one row for each text: run at once if no other request is open, else in shared batches."""
        await asyncio.sleep(0)  # so that requests that arrived together with this one are counted
        if self.open_requests == 1 and (rows := self.batcher.run_inline(runner, features)) is not None:
            return rows
        result = self.batcher.submit(runner, features, client=client_address(request))
        return await run_for_client(request, result, seconds=self.settings.request_seconds)

    async def run_call(self, request: Request, work: Callable[[], T], *, cost: int = 0) -> T:
        """Return the result of a call that is not batched; a HeedfulError becomes a refusal.

        `cost` is the approximate number of tokens.
        """
        try:
            result = self.call_pool.call(work, client=client_address(request), cost=cost)
            return await run_for_client(request, result, seconds=self.settings.request_seconds)
        except HeedfulError as error:
            raise Refused(400, str(error)) from None
        except Stopped:
            raise Refused(499, "The client has disconnected.") from None

    async def reload(self, names: Sequence[str] | None = None) -> None:
        """Reload models. If a load fails, the old model stays and the error is logged."""
        await self._reloader.load(names)

    def schedule_reload(self) -> None:
        """Reload all models in the background."""
        self._reloader.schedule()

    async def watch(self) -> None:
        """Reload models whose folders change, for ever."""
        await self._reloader.watch(seconds=self.settings.watch_seconds)

    def abort_open_requests(self) -> None:
        """Answer all open requests with 503: the time for a graceful stop is over."""
        self.is_aborting = True
        for task in list(self.tasks):
            task.cancel()

    @property
    def busy(self) -> bool:
        """Whether a thread is still working."""
        return bool(self.batcher.busy or self.call_pool.busy or self._reloader.loading or busy_off_loop())

    def close(self) -> None:
        """Let the threads end, without waiting for them."""
        self.batcher.close()
        self.call_pool.close()
        self._reloader.close()
        self.request_log.write()


def client_address(request: Request) -> str:
    """Return the address of the client, for fair scheduling. Behind a proxy all clients share one."""
    client = request.scope.get("client")
    return client[0] if client else ""
