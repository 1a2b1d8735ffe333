"""Sends the headers and the body of a response in one system call and one packet, not two."""

from __future__ import annotations

import asyncio
from typing import Any


class CoalescedWrites:
    """A transport that delays a write until the next one, or until the next iteration of the event loop."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop, self._pending = transport, loop, b""

    def write(self, data: bytes) -> None:
        """Write the pending bytes and these; if nothing is pending, delay these."""
        if self._pending:
            pending, self._pending = self._pending, b""
            self._transport.writelines([pending, data])
        elif data:
            self._pending = data
            self._loop.call_soon(self._flush)

    def get_write_buffer_size(self) -> int:
        """Return the number of bytes not sent yet."""
        return self._transport.get_write_buffer_size() + len(self._pending)

    def close(self) -> None:
        """Send the pending bytes, then close."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._pending:
            pending, self._pending = self._pending, b""
            self._transport.write(pending)

    def __getattr__(self, name: str) -> Any:
        """Everything else is the transport's."""
        return getattr(self._transport, name)
