"""What an answer's head and body become on the way to the socket."""

from __future__ import annotations

import asyncio

from heedful.serve.http.write_coalescing import CoalescedWrites


class Kept:
    """A transport that keeps what was done with it."""

    def __init__(self) -> None:
        self.done: list[tuple[str, bytes]] = []

    def write(self, data: bytes) -> None:
        self.done.append(("write", data))

    def writelines(self, parts: list[bytes]) -> None:
        self.done.append(("write", b"".join(parts)))

    def close(self) -> None:
        self.done.append(("close", b""))

    def get_write_buffer_size(self) -> int:
        return 100

    def is_closing(self) -> bool:
        return False


def done_by(work) -> list[tuple[str, bytes]]:
    async def main() -> Kept:
        kept = Kept()
        work(CoalescedWrites(kept, asyncio.get_running_loop()))
        await asyncio.sleep(0)
        return kept

    return asyncio.run(main()).done


def test_a_head_and_its_body_are_one_write():
    def work(transport):
        transport.write(b"head ")
        transport.write(b"body")

    assert done_by(work) == [("write", b"head body")]


def test_a_head_alone_does_not_wait_for_long():
    assert done_by(lambda transport: transport.write(b"head")) == [("write", b"head")]


def test_what_comes_after_the_body_is_sent_too_and_in_order():
    def work(transport):
        for part in (b"a", b"b", b"c"):
            transport.write(part)

    assert done_by(work) == [("write", b"ab"), ("write", b"c")]


def test_closing_sends_what_was_kept_first():
    def work(transport):
        transport.write(b"last words")
        transport.close()

    assert done_by(work) == [("write", b"last words"), ("close", b"")]


def test_what_is_kept_counts_as_not_sent_and_the_rest_is_the_transports():
    def work(transport):
        transport.write(b"12345")
        assert transport.get_write_buffer_size() == 105
        assert transport.is_closing() is False

    done_by(work)
