"""How much time each client was given lately: what is long ago counts for less."""

from __future__ import annotations

import time

HALF_LIFE = 10.0  # seconds
MOST_CLIENTS = 1000  # that are remembered


class Served:
    """Seconds of work by client."""

    def __init__(self) -> None:
        self._clients: dict[str, tuple[float, float]] = {}  # seconds, and when they were counted

    def seconds(self, client: str) -> float:
        """Return how much a client was given."""
        seconds, then = self._clients.get(client, (0.0, 0.0))
        return float(seconds * 0.5 ** ((time.monotonic() - then) / HALF_LIFE)) if seconds else 0.0

    def add(self, client: str, seconds: float) -> None:
        """Count what a client was given. Those that were served longest ago are forgotten first."""
        total = self.seconds(client) + seconds
        self._clients.pop(client, None)
        self._clients[client] = (total, time.monotonic())
        while len(self._clients) > MOST_CLIENTS:
            del self._clients[next(iter(self._clients))]
