"""The head of an answer goes out with its body: one call of the system and one packet, not two."""

from __future__ import annotations

import asyncio
from typing import Any


class OneWrite:
    """A transport that keeps what is written until more comes, or until the event loop has nothing else to do first."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop, self._kept = transport, loop, b""

    def write(self, data: bytes) -> None:
        """Write, together with what was kept; the first bytes are kept for a moment."""
        if self._kept:
            kept, self._kept = self._kept, b""
            self._transport.writelines([kept, data])
        elif data:
            self._kept = data
            self._loop.call_soon(self._flush)

    def get_write_buffer_size(self) -> int:
        """Return how many bytes are not sent yet."""
        return self._transport.get_write_buffer_size() + len(self._kept)

    def close(self) -> None:
        """Send what was kept, then close."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._kept:
            kept, self._kept = self._kept, b""
            self._transport.write(kept)

    def __getattr__(self, name: str) -> Any:
        """All else is the transport's."""
        return getattr(self._transport, name)
