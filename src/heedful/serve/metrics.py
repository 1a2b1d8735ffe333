"""Prometheus metrics."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
TEXTS_BUCKETS = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "heedful_requests", "Requests by path and status", ["path", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "heedful_request_seconds", "Time to answer", ["path"], buckets=SECONDS_BUCKETS, registry=self._registry
        )
        self._batch = Histogram(
            "heedful_batch_texts", "Texts in a batch", buckets=TEXTS_BUCKETS, registry=self._registry
        )
        self._tokens = Counter("heedful_tokens", "Tokens run", registry=self._registry)
        self.waiting_tokens = Gauge("heedful_waiting_tokens", "Tokens waiting for a worker", registry=self._registry)
        self.held_bytes = Gauge("heedful_held_bytes", "Bytes of requests not answered yet", registry=self._registry)
        self.open_calls = Gauge("heedful_open_calls", "Single calls waiting or running", registry=self._registry)
        self.model_loads = Counter("heedful_model_loads", "Model reloads", ["model", "result"], registry=self._registry)

    def record_request(self, path: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def record_batch(self, texts: int, tokens: int) -> None:
        """Count a batch."""
        self._batch.observe(texts)
        self._tokens.inc(tokens)

    def render(self) -> bytes:
        """Return all metrics in the Prometheus text format."""
        return bytes(generate_latest(self._registry))
