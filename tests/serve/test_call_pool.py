"""Calls one by one: some wait, and those that nobody waits for are not made."""

from __future__ import annotations

import asyncio
import threading

import pytest

from heedful.runtime.cancel import Stopped, check_wanted
from heedful.serve.call_pool import CallPool
from heedful.serve.http.errors import Busy


def run(work, *, threads=1, max_waiting=3):
    async def main():
        pool = CallPool(threads=threads, max_waiting=max_waiting)
        try:
            return await asyncio.wait_for(work(pool), 60)
        finally:
            await asyncio.to_thread(pool.close)

    return asyncio.run(main())


@pytest.fixture
def gate():
    made = threading.Event()
    yield made
    made.set()


async def until(fact):
    while not fact():
        await asyncio.sleep(0.001)


def test_a_call_gives_what_the_work_gives():
    async def work(pool):
        assert await pool.call(lambda: 7) == 7
        with pytest.raises(ZeroDivisionError):
            await pool.call(lambda: 1 // 0)
        await until(lambda: pool.open == 0)
        assert await pool.call(lambda: 8) == 8

    run(work)


def test_past_what_may_wait_it_is_busy_and_those_that_wait_are_answered(gate):
    async def work(pool):
        asked = [asyncio.create_task(pool.call(lambda i=i: gate.wait(30) and i)) for i in range(4)]
        await until(lambda: pool.open == 4)
        with pytest.raises(Busy) as told:
            await pool.call(lambda: 0)
        assert int(told.value.headers["Retry-After"]) >= 1
        gate.set()
        assert await asyncio.gather(*asked) == [0, 1, 2, 3]
        await until(lambda: pool.open == 0)
        assert await pool.call(lambda: 5) == 5

    run(work)


def test_a_call_that_is_given_up_ends_before_its_next_batch(gate):
    ended = []

    def long():
        while True:
            begun.set()
            try:
                check_wanted()
            except Stopped:
                ended.append(True)
                raise

    begun = threading.Event()

    async def work(pool):
        task = asyncio.create_task(pool.call(long))
        await until(begun.is_set)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await until(lambda: pool.open == 0)
        assert await pool.call(lambda: 5) == 5

    run(work)
    assert ended


def test_a_call_that_is_given_up_while_it_waits_is_never_made(gate):
    made = []

    async def work(pool):
        first = asyncio.create_task(pool.call(lambda: gate.wait(30)))
        second = asyncio.create_task(pool.call(lambda: made.append(2)))
        third = asyncio.create_task(pool.call(lambda: made.append(3)))
        await until(lambda: pool.open == 3)
        second.cancel()
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(first, third)

    run(work)
    assert made == [3]


def test_a_call_that_is_given_up_while_it_waits_leaves_its_place_to_others(gate):
    async def work(pool):
        first = asyncio.create_task(pool.call(lambda: gate.wait(30)))
        others = [asyncio.create_task(pool.call(lambda: 0)) for _ in range(3)]
        await until(lambda: pool.open == 4)
        for each in others:
            each.cancel()
        await until(lambda: pool.open == 1)
        last = asyncio.create_task(pool.call(lambda: 5))
        await until(lambda: pool.open == 2)
        gate.set()
        assert await last == 5
        await first

    run(work)


def test_the_explanations_of_a_model_can_be_given_up(tiny_model, gate):
    """Between two batches the runtime looks whether anybody waits."""
    from heedful.runtime.cancel import STOP

    stop = threading.Event()
    token = STOP.set(stop)
    try:
        assert tiny_model.explain("a lovely parcel") is not None
        stop.set()
        with pytest.raises(Stopped):
            tiny_model.explain("a lovely parcel")
    finally:
        STOP.reset(token)
