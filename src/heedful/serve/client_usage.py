"""Recent usage by client: seconds of work, with exponential decay."""

from __future__ import annotations

import time

HALF_LIFE = 10.0  # seconds
MAX_CLIENTS = 1000  # that are remembered


class ClientUsage:
    """Seconds of work that each client received recently."""

    def __init__(self) -> None:
        self._clients: dict[str, tuple[float, float]] = {}  # seconds, and when they were last updated

    def seconds(self, client: str) -> float:
        """Return the decayed seconds of a client."""
        seconds, updated = self._clients.get(client, (0.0, 0.0))
        return float(seconds * 0.5 ** ((time.monotonic() - updated) / HALF_LIFE)) if seconds else 0.0

    def add(self, client: str, seconds: float) -> None:
        """Add seconds to a client. Past MAX_CLIENTS, the client that was updated longest ago is dropped."""
        total = self.seconds(client) + seconds
        self._clients.pop(client, None)
        self._clients[client] = (total, time.monotonic())
        while len(self._clients) > MAX_CLIENTS:
            del self._clients[next(iter(self._clients))]
