"""Lines of requests: those of a moment are one write, and none is lost."""

from __future__ import annotations

import asyncio
import json

from heedful.serve.logs import BufferedLog


class Counted:
    """A stream that keeps what was written to it, write by write."""

    def __init__(self) -> None:
        self.writes: list[str] = []

    def write(self, text: str) -> None:
        self.writes.append(text)


def test_lines_of_a_moment_are_one_write(monkeypatch):
    stream = Counted()
    monkeypatch.setattr("sys.stderr", stream)

    async def work() -> None:
        lines = BufferedLog(wait=0.001)
        for i in range(3):
            lines.add({"event": "request", "number": i})
        assert not stream.writes
        while not stream.writes:
            await asyncio.sleep(0.001)
        lines.add({"event": "request", "number": 3})
        lines.write()

    asyncio.run(work())
    assert len(stream.writes) == 2
    said = [json.loads(line) for line in "".join(stream.writes).splitlines()]
    assert [each["number"] for each in said] == [0, 1, 2, 3]
    assert all(each["level"] == "info" and each["time"].endswith("Z") for each in said)


def test_a_log_that_is_gone_breaks_nothing(monkeypatch):
    class Gone(Counted):
        def write(self, text: str) -> None:
            super().write(text)
            raise BrokenPipeError

    gone, back = Gone(), Counted()
    monkeypatch.setattr("sys.stderr", gone)

    async def work() -> None:
        lines = BufferedLog()
        lines.add({"event": "request", "number": 0})
        lines.write()
        monkeypatch.setattr("sys.stderr", back)
        lines.add({"event": "request", "number": 1})
        lines.write()

    asyncio.run(work())
    assert len(gone.writes) == 1
    assert [json.loads(line)["number"] for line in "".join(back.writes).splitlines()] == [1]
