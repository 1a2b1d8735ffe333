"""Short calls and small requests go before long ones, and clients take waiting."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass

import pytest

from heedful.runtime.cancel import check_wanted
from heedful.serve import call_pool
from heedful.serve.call_pool import SHORT_COST, CallPool
from heedful.serve.fair_queue import FairQueue
from heedful.serve.http.errors import Busy


@dataclass(eq=False)
class Job:
    name: str
    client: str = ""
    is_small: bool = True
    since: float = 0.0


def names(waiting, **how):
    found = []
    while waiting:
        found.append(waiting.popleft(**how).name)
    return found


def queue(*jobs):
    waiting = FairQueue()
    for job in jobs:
        waiting.append(job)
    return waiting


def test_within_a_client_the_order_is_kept():
    assert names(queue(*(Job(name) for name in "abc"))) == ["a", "b", "c"]


def test_clients_take_turns():
    jobs = [Job("a1", "a"), Job("a2", "a"), Job("a3", "a"), Job("b1", "b")]
    assert names(queue(*jobs)) == ["a1", "b1", "a2", "a3"]


def test_small_ones_go_first_unless_a_large_one_is_wanted():
    def jobs():
        return [Job("large", is_small=False), Job("small")]

    assert names(queue(*jobs())) == ["small", "large"]
    assert names(queue(*jobs()), large=True) == ["large", "small"]


def test_what_is_taken_out_is_gone():
    first, second = Job("a", "x", since=1.0), Job("b", "x", since=2.0)
    waiting = queue(first, second)
    assert (len(waiting), waiting.count_of("x"), waiting.oldest_since) == (2, 2, 1.0)
    waiting.remove(first)
    assert (first in waiting, len(waiting), waiting.count_of("x"), waiting.oldest_since) == (False, 1, 1, 2.0)


def run(work, *, threads=1, max_waiting=3, **limits):
    async def main():
        pool = CallPool(threads=threads, max_waiting=max_waiting, **limits)
        try:
            return await asyncio.wait_for(work(pool), 60)
        finally:
            pool.close()

    return asyncio.run(main())


async def until(fact):
    while not fact():
        await asyncio.sleep(0.001)


class Long:
    """A call that goes on, batch after batch, until it is let go."""

    def __init__(self):
        self.begun, self.end, self.batches = threading.Event(), threading.Event(), 0

    def __call__(self):
        self.begun.set()
        while not self.end.wait(0.001):
            self.batches += 1
            check_wanted()
        return "long"


def test_a_short_call_does_not_wait_for_the_end_of_a_long_one():
    async def work(pool):
        long = Long()
        first = asyncio.create_task(pool.call(long, client="a", cost=10 * SHORT_COST))
        await until(long.begun.is_set)
        for client in ("a", "b"):
            assert await pool.call(lambda: "short", client=client) == "short"
            assert not first.done()
        before = long.batches
        await until(lambda: long.batches > before)  # and the long one goes on
        long.end.set()
        assert await first == "long"

    run(work)


def test_long_calls_of_several_clients_all_go_on():
    async def work(pool):
        longs = {client: Long() for client in "abc"}
        asked = [asyncio.create_task(pool.call(long, client=c, cost=10 * SHORT_COST)) for c, long in longs.items()]
        await until(lambda: all(long.batches > 5 for long in longs.values()))
        for long in longs.values():
            long.end.set()
        assert await asyncio.gather(*asked) == ["long"] * 3

    run(work)


def test_a_call_that_only_turns_out_to_be_long_is_one_too():
    async def work(pool):
        long = Long()
        first = asyncio.create_task(pool.call(long))
        await until(long.begun.is_set)
        assert await pool.call(lambda: "short") == "short"
        long.end.set()
        assert await first == "long"

    run(work)


def test_a_call_that_could_not_start_in_time_is_refused_at_once():
    async def work(pool):
        begun, end = threading.Event(), threading.Event()

        def long():
            begun.set()
            return end.wait()

        asked = [asyncio.create_task(pool.call(long, cost=10 * SHORT_COST)) for _ in range(4)]
        await until(begun.is_set)  # the other three wait, each for about a second of work
        with pytest.raises(Busy) as refused:
            await pool.call(lambda: 0, cost=10 * SHORT_COST)
        assert refused.value.headers["Retry-After"] == "4"
        short = asyncio.create_task(pool.call(lambda: "short"))  # long calls do not delay it
        await until(lambda: pool.open == 5)
        end.set()
        assert await asyncio.gather(*asked, short) == [True] * 4 + ["short"]

    run(work, max_waiting=100, max_wait_seconds=2.0)


def test_one_client_cannot_fill_the_queue():
    async def work(pool):
        long = Long()
        asked = [asyncio.create_task(pool.call(long, client="a", cost=10 * SHORT_COST)) for _ in range(4)]
        await until(lambda: long.begun.is_set() and pool.open == 4)
        with pytest.raises(Busy):
            await pool.call(lambda: 0, client="a", cost=10 * SHORT_COST)
        assert await pool.call(lambda: "short", client="b") == "short"
        long.end.set()
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert sum(isinstance(each, Busy) for each in found) == 1  # the last of those that waited made room

    run(work)


def test_a_long_call_that_is_given_up_while_others_have_their_turn_ends():
    async def work(pool):
        one, two = Long(), Long()
        first = asyncio.create_task(pool.call(one, cost=10 * SHORT_COST))
        await until(one.begun.is_set)
        second = asyncio.create_task(pool.call(two, cost=10 * SHORT_COST))
        await until(two.begun.is_set)  # both are under way, one of them waits for its turn
        first.cancel()
        await until(lambda: pool.open == 1)
        two.end.set()
        assert await second == "long"
        assert await pool.call(lambda: 5) == 5

    run(work)


def test_a_call_that_never_ends_leaves_its_turn_to_others(monkeypatch):
    monkeypatch.setattr(call_pool, "ABANDON_SECONDS", 0.01)
    stuck, begun = threading.Event(), threading.Event()

    async def work(pool):
        task = asyncio.create_task(pool.call(lambda: (begun.set(), stuck.wait(60))))
        await until(begun.is_set)
        task.cancel()
        assert await pool.call(lambda: "next") == "next"
        assert pool.busy == 1
        stuck.set()
        await until(lambda: pool.busy == 0 == pool.open)
        assert await pool.call(lambda: "last") == "last"

    run(work)


def test_what_native_code_raises_is_an_error_as_others():
    class Panic(BaseException):
        pass

    def panics():
        raise Panic("a secret text")

    async def work(pool):
        with pytest.raises(RuntimeError, match=r"^Panic in native code$"):
            await pool.call(panics)
        assert await pool.call(lambda: 5) == 5

    run(work)
