"""The queue, with a runner that says what it ran and waits until it is let go on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.serve.batching import INLINE_TOKENS, Batcher, cost
from heedful.serve.http.errors import Busy


class Fake:
    """Gives each text its first id, twice; keeps what it was given; runs only while the gate is open."""

    def __init__(self, *, is_open: bool = True) -> None:
        self.gate, self.batches = threading.Event(), []
        if is_open:
            self.gate.set()

    def __call__(self, features: Sequence[list[int]]) -> np.ndarray:
        self.batches.append([each[0] for each in features])
        assert self.gate.wait(30)
        if any(each[0] < 0 for each in features):
            raise RuntimeError("a bad text")
        return np.array([[each[0], each[0]] for each in features], dtype=np.float32)


def texts(*ids: int, n: int = 10) -> list[list[int]]:
    """Return texts of n tokens each."""
    return [[each] * n for each in ids]


async def has_begun(fake: Fake, n: int = 1) -> None:
    while len(fake.batches) < n:
        await asyncio.sleep(0.001)


def ids_of(rows: np.ndarray) -> list[int]:
    assert (rows[:, 0] == rows[:, 1]).all()
    return rows[:, 0].astype(int).tolist()


@pytest.fixture
def fake():
    made = Fake(is_open=False)
    yield made
    made.gate.set()


def run(work, **settings):
    """Run a test in an event loop, with a queue."""

    async def main():
        batcher = Batcher(**{"wait": 0.0, **settings})
        try:
            return await asyncio.wait_for(work(batcher), 60)
        finally:
            await asyncio.to_thread(batcher.close)

    return asyncio.run(main())


def test_idle_workers_share_a_request(fake):
    async def work(batcher):
        asked = batcher.submit(fake, texts(*range(1, 33)))
        assert batcher.waiting == 0  # nothing of it waits for company
        await has_begun(fake, 2)
        fake.gate.set()
        assert ids_of(await asked) == list(range(1, 33))

    run(work, workers=2, wait=1000.0)
    assert sorted(map(len, fake.batches)) == [16, 16]


def test_a_small_request_is_not_worth_two_workers(fake):
    async def work(batcher):
        fake.gate.set()
        assert ids_of(await batcher.submit(fake, texts(*range(1, 9)))) == list(range(1, 9))

    run(work, workers=2)
    assert fake.batches == [list(range(1, 9))]


def test_a_lone_request_is_run_at_once(fake):
    async def work(batcher):
        asked = batcher.submit(fake, texts(1, 2))
        assert batcher.waiting == 0  # taken before anything else could happen
        await has_begun(fake)
        fake.gate.set()
        assert ids_of(await asked) == [1, 2]

    run(work, wait=1000.0)
    assert fake.batches == [[1, 2]]


def test_a_few_tokens_may_be_run_in_the_loop_itself_while_all_workers_are_idle(fake):
    fake.gate.set()

    async def work(batcher):
        assert ids_of(batcher.run_inline(fake, texts(1, 2))) == [1, 2]
        assert batcher.run_inline(fake, texts(*range(INLINE_TOKENS), n=2)) is None, "too much for the loop"
        assert batcher.run_inline(fake, []) is None

    run(work)
    assert fake.batches == [[1, 2]]


def test_nothing_is_run_in_the_loop_while_a_worker_is_busy(fake):
    async def work(batcher):
        asked = batcher.submit(fake, texts(1))
        assert batcher.run_inline(fake, texts(2)) is None
        fake.gate.set()
        assert ids_of(await asked) == [1]

    run(work)


def test_requests_that_come_while_it_is_busy_are_run_as_one(fake):
    async def work(batcher):
        asked = [batcher.submit(fake, texts(i)) for i in range(6)]
        assert batcher.waiting == 50
        await has_begun(fake)
        fake.gate.set()
        assert [ids_of(await each) for each in asked] == [[i] for i in range(6)]
        assert batcher.waiting == 0

    run(work)
    assert fake.batches == [[0], [1, 2, 3, 4, 5]]


def test_a_batch_has_about_as_many_tokens_as_it_is_told(fake):
    async def work(batcher):
        asked = [batcher.submit(fake, texts(i)) for i in range(10)]
        fake.gate.set()
        await asyncio.gather(*asked)

    run(work, batch_tokens=30)
    assert [len(batch) for batch in fake.batches] == [1, 3, 3, 3]


def test_a_text_longer_than_a_batch_is_run_by_itself(fake):
    async def work(batcher):
        asked = batcher.submit(fake, [*texts(1, 2, n=500), *texts(3)])
        fake.gate.set()
        assert ids_of(await asked) == [1, 2, 3]

    run(work, batch_tokens=30)
    assert fake.batches == [[1], [2], [3]]


def test_a_large_request_does_not_hold_up_small_ones(fake):
    order = []

    async def work(batcher):
        first = batcher.submit(fake, texts(0))
        large = batcher.submit(fake, texts(*range(1000, 3000)))
        small = [batcher.submit(fake, texts(i)) for i in range(1, 6)]
        for name, each in [("first", first), ("large", large), *(("small", each) for each in small)]:
            each.add_done_callback(lambda _, name=name: order.append(name))
        fake.gate.set()
        assert ids_of(await large) == list(range(1000, 3000))
        await asyncio.gather(*small)

    run(work, batch_tokens=400)
    assert order == ["first", *["small"] * 5, "large"]
    assert {1, 2, 3, 4, 5} <= set(fake.batches[1])  # in the first batch that could take them


def test_two_large_requests_take_turns(fake):
    async def work(batcher):
        first = batcher.submit(fake, texts(0))
        asked = [batcher.submit(fake, texts(*range(start, start + 200))) for start in (1000, 2000)]
        fake.gate.set()
        await asyncio.gather(first, *asked)

    run(work, batch_tokens=640)
    whose = [{each // 1000 for each in batch} for batch in fake.batches[1:-1]]
    assert all(each == {1, 2} for each in whose)


def test_models_do_not_share_a_batch(fake):
    other = Fake()

    async def work(batcher):
        asked = [batcher.submit(runner, texts(i)) for i, runner in enumerate([fake, other, fake, other])]
        fake.gate.set()
        assert [ids_of(await each) for each in asked] == [[0], [1], [2], [3]]

    run(work)
    assert fake.batches == [[0], [2]]
    assert other.batches == [[1, 3]]


def test_a_small_batch_waits_for_company_only_while_others_run(fake):
    async def work(batcher):
        first = batcher.submit(fake, texts(0))
        await has_begun(fake)
        second = batcher.submit(fake, texts(1))
        assert batcher.waiting == 10  # a worker is free, but company may come
        third = batcher.submit(fake, texts(2))
        await has_begun(fake, 2)  # it did not wait for the first to end
        fake.gate.set()
        await asyncio.gather(first, second, third)

    run(work, workers=2, wait=0.2)
    assert fake.batches == [[0], [1, 2]]


def test_a_full_queue_is_said_and_what_was_accepted_is_answered(fake):
    async def work(batcher):
        running = batcher.submit(fake, texts(0))
        accepted = [batcher.submit(fake, texts(i)) for i in range(1, 11)]
        with pytest.raises(Busy) as told:
            batcher.submit(fake, texts(11))
        assert told.value.status == 429
        assert int(told.value.headers["Retry-After"]) >= 1
        assert batcher.waiting == 100
        fake.gate.set()
        assert [ids_of(await each) for each in [running, *accepted]] == [[i] for i in range(11)]
        assert ids_of(await batcher.submit(fake, texts(12))) == [12]

    run(work, queue_tokens=100)


def test_a_request_that_would_wait_too_long_is_refused_at_once(fake):
    async def work(batcher):
        batcher.rate = 1000.0  # tokens a second
        large = [batcher.submit(fake, texts(*range(30), n=10)) for _ in range(4)]  # one runs, 900 tokens wait
        assert batcher.waiting == 900
        small = batcher.submit(fake, texts(1))  # large requests do not delay it
        large.append(batcher.submit(fake, texts(*range(30), n=10)))  # expected wait: 0.9 s, with half of each batch 1.8
        with pytest.raises(Busy) as refused:
            batcher.submit(fake, texts(*range(30), n=10))  # 2.4 s
        assert refused.value.headers["Retry-After"] == "3"
        fake.gate.set()
        assert len(await small) == 1
        assert [len(await each) for each in large] == [30] * 5
        assert len(await batcher.submit(fake, texts(*range(30), n=10))) == 30

    run(work, queue_seconds=2.0, batch_tokens=300)


def test_small_batches_say_little_about_the_rate_under_load(fake):
    async def work(batcher):
        fake.gate.set()
        before = batcher.rate
        for i in range(20):
            await batcher.submit(fake, texts(i, n=1))
        assert batcher.rate > 0.9 * before

    run(work)


def test_many_requests_fill_the_queue_however_small_they_are(fake):
    async def work(batcher):
        accepted = [batcher.submit(fake, texts(i)) for i in range(4)]  # one runs, three wait
        with pytest.raises(Busy):
            batcher.submit(fake, texts(4))
        accepted[2].cancel()
        await asyncio.sleep(0)
        accepted[2] = batcher.submit(fake, texts(5))
        fake.gate.set()
        assert [ids_of(await each) for each in accepted] == [[0], [1], [5], [3]]

    run(work, queue_requests=3)


def test_a_request_larger_than_the_queue_is_taken_where_nothing_waits(fake):
    async def work(batcher):
        fake.gate.set()
        assert len(await batcher.submit(fake, texts(*range(100)))) == 100

    run(work, queue_tokens=50, batch_tokens=40)


def test_no_texts_are_no_work(fake):
    async def work(batcher):
        assert len(await batcher.submit(fake, [])) == 0

    run(work)
    assert fake.batches == []


def test_an_empty_text_counts_one():
    assert cost([]) == 1


def test_a_request_that_is_given_up_is_not_run_and_others_are(fake):
    async def work(batcher):
        asked = [batcher.submit(fake, texts(i)) for i in range(4)]
        asked[2].cancel()
        await asyncio.sleep(0)
        assert batcher.waiting == 20
        await has_begun(fake)
        fake.gate.set()
        assert [ids_of(await asked[i]) for i in (0, 1, 3)] == [[0], [1], [3]]
        assert batcher.waiting == 0

    run(work)
    assert fake.batches == [[0], [1, 3]]


def test_the_rest_of_a_request_that_is_given_up_midway_is_not_run(fake):
    async def work(batcher):
        large = batcher.submit(fake, texts(*range(100)))
        await has_begun(fake)
        other = batcher.submit(fake, texts(1000))
        large.cancel()
        await asyncio.sleep(0)
        assert batcher.waiting == 10
        fake.gate.set()
        assert ids_of(await other) == [1000]

    run(work, batch_tokens=50)
    assert fake.batches == [[0, 1, 2, 3, 4], [1000]]


def test_a_batch_that_fails_fails_its_own_requests_and_no_others(fake):
    async def work(batcher):
        first = batcher.submit(fake, texts(0))
        bad = batcher.submit(fake, texts(-1, *range(100, 150)))
        await has_begun(fake)
        fake.gate.set()
        assert ids_of(await first) == [0]
        with pytest.raises(RuntimeError):
            await bad
        assert batcher.waiting == 0  # the rest of it is not run
        assert ids_of(await batcher.submit(fake, texts(1, 2))) == [1, 2]

    run(work, batch_tokens=50)
    assert fake.batches[2] == [1, 2]


def test_one_that_fails_does_not_take_its_company_with_it(fake):
    async def work(batcher):
        first = batcher.submit(fake, texts(0))
        asked = [batcher.submit(fake, texts(i)) for i in (1, -1, 2)]
        await has_begun(fake)
        fake.gate.set()
        await first
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert isinstance(found[1], RuntimeError)
        assert [ids_of(found[i]) for i in (0, 2)] == [[1], [2]]

    run(work)


def test_a_task_that_is_cancelled_gives_up_its_request(fake):
    async def work(batcher):
        first = batcher.submit(fake, texts(0))

        async def ask():
            return await batcher.submit(fake, texts(1))

        task = asyncio.create_task(ask())
        await asyncio.sleep(0)
        assert batcher.waiting == 10
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert batcher.waiting == 0
        fake.gate.set()
        await first

    run(work)
    assert fake.batches == [[0]]


@settings(max_examples=30)
@given(
    sizes=st.lists(st.lists(st.integers(1, 40), min_size=0, max_size=80), min_size=1, max_size=8),
    batch_tokens=st.integers(1, 300),
    workers=st.integers(1, 3),
    given_up=st.sets(st.integers(0, 7)),
    wait=st.sampled_from([0.0, 0.001]),
)
def test_rows_go_to_whom_they_belong_however_they_are_split(sizes, batch_tokens, workers, given_up, wait):
    fake = Fake()

    async def work(batcher):
        asked = []
        for i, lengths in enumerate(sizes):
            asked.append(batcher.submit(fake, [[1000 * i + j] * n for j, n in enumerate(lengths)]))
            if i % 2:
                await asyncio.sleep(0)
        for i in given_up & set(range(len(asked))):
            asked[i].cancel()
        await asyncio.sleep(0)
        for i, each in enumerate(asked):
            if not each.cancelled():
                assert ids_of((await each).reshape(-1, 2)) == [1000 * i + j for j in range(len(sizes[i]))]
        assert batcher.waiting == 0

    run(work, batch_tokens=batch_tokens, workers=workers, wait=wait)
    ran = [each for batch in fake.batches for each in batch]
    assert len(ran) == len(set(ran))  # nothing twice
