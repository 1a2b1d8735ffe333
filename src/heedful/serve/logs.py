"""Logs as lines of JSON on stderr. Texts of users are never in them."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from contextlib import suppress
from functools import lru_cache
from typing import Any

import orjson

_USUAL = frozenset(logging.LogRecord("", 0, "", 0, "", (), None).__dict__) | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}


class JsonLines(logging.Formatter):
    """One line for each record: when, how grave, what, and what was said beside it."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        said: dict[str, Any] = {
            "time": _when(record.created),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        said |= {name: value for name, value in record.__dict__.items() if name not in _USUAL}
        if record.exc_info and record.exc_info[0] is not None:
            said["error"] = record.exc_info[0].__name__
            said["at"] = _place(record)
        return json.dumps(said, ensure_ascii=False, default=str)


class SoonWritten:
    """Lines of what happens too often for a record to be made of each: those of a moment are one write."""

    def __init__(self, *, wait: float = 0.05) -> None:
        self._wait, self._lines = wait, list[bytes]()

    def add(self, said: dict[str, Any]) -> None:
        """Write a line, a moment later; called in the event loop."""
        if not self._lines:
            asyncio.get_running_loop().call_later(self._wait, self.write)
        self._lines.append(orjson.dumps({"time": _when(time.time()), "level": "info", **said}))

    def write(self) -> None:
        """Write what waits. A log that is gone breaks no answer."""
        lines, self._lines = self._lines, []
        if lines:
            with suppress(OSError):
                sys.stderr.write(b"\n".join(lines).decode() + "\n")


def _when(seconds: float) -> str:
    return f"{_second(int(seconds))}.{int(seconds % 1 * 1000):03d}Z"


@lru_cache(maxsize=2)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def _place(record: logging.LogRecord) -> list[str]:
    """Return where an error came from: files and lines, and not its message, which may hold a text."""
    trace = record.exc_info[2] if record.exc_info else None
    found = []
    while trace is not None:
        code = trace.tb_frame.f_code
        found.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return found[-8:]


def start_logs(level: str) -> None:
    """Send logs to stderr, ours and uvicorn's."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("heedful", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level.upper() if name == "heedful" else "WARNING")
