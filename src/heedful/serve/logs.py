"""JSON logs on stderr. They never contain the texts of users."""

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

_STANDARD_ATTRIBUTES = frozenset(logging.LogRecord("", 0, "", 0, "", (), None).__dict__) | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}


class JsonFormatter(logging.Formatter):
    """One JSON object per record: time, level, event and extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        entry: dict[str, Any] = {
            "time": _timestamp(record.created),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        entry |= {name: value for name, value in record.__dict__.items() if name not in _STANDARD_ATTRIBUTES}
        if record.exc_info and record.exc_info[0] is not None:
            entry["error"] = record.exc_info[0].__name__
            entry["at"] = _frames(record)
        return json.dumps(entry, ensure_ascii=False, default=str)


class BufferedLog:
    """Log lines of frequent events, without a LogRecord each; lines of the same moment share one write."""

    def __init__(self, *, wait: float = 0.05) -> None:
        self._wait, self._lines = wait, list[bytes]()

    def add(self, entry: dict[str, Any]) -> None:
        """Add a line, to be written a moment later; called in the event loop."""
        if not self._lines:
            asyncio.get_running_loop().call_later(self._wait, self.write)
        self._lines.append(orjson.dumps({"time": _timestamp(time.time()), "level": "info", **entry}))

    def write(self) -> None:
        """Write the buffered lines. A closed stderr is ignored."""
        lines, self._lines = self._lines, []
        if lines:
            with suppress(OSError):
                sys.stderr.write(b"\n".join(lines).decode() + "\n")


def _timestamp(seconds: float) -> str:
    return f"{_second(int(seconds))}.{int(seconds % 1 * 1000):03d}Z"


@lru_cache(maxsize=2)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def _frames(record: logging.LogRecord) -> list[str]:
    """Return the last frames of a traceback, without the message of the error, which may contain a text."""
    trace = record.exc_info[2] if record.exc_info else None
    frames = []
    while trace is not None:
        code = trace.tb_frame.f_code
        frames.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return frames[-8:]


def start_logs(level: str) -> None:
    """Send the logs of heedful and uvicorn to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    for name in ("heedful", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level.upper() if name == "heedful" else "WARNING")
