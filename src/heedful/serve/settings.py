"""Settings of `heedful serve`: each is a flag and an environment variable of the same name."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from heedful.errors import ConfigError, HeedfulError

PREFIX = "HEEDFUL_"
KEY, KEY_FILE = PREFIX + "API_KEY", PREFIX + "API_KEY_FILE"
LEVELS = ("debug", "info", "warning", "error")


def _setting(default: Any, help_text: str, *, minimum: float = 0, unit: str = "N") -> Any:
    return field(default=default, metadata={"help": help_text, "minimum": minimum, "unit": unit})


@dataclass(frozen=True)
class ServeSettings:
    """How to serve. The limits keep any number of requests from taking the machine down."""

    host: str = _setting("127.0.0.1", "address to listen on; 0.0.0.0 for all interfaces", unit="ADDRESS")
    port: int = _setting(8080, "port to listen on; 0 for any free port")
    workers: int = _setting(0, "batches to run in parallel; 0 for one per core")
    batch_tokens: int = _setting(4096, "maximum tokens in a batch", minimum=1)
    wait_ms: float = _setting(1.0, "how long a batch waits for more requests while others run", unit="MS")
    queue_tokens: int = _setting(200_000, "maximum tokens in the queue; beyond it requests get 429", minimum=1)
    queue_requests: int = _setting(512, "maximum requests in the queue; beyond it requests get 429", minimum=1)
    queue_seconds: float = _setting(5.0, "maximum expected wait in the queue; beyond it requests get 429", minimum=0.1)
    queue_calls: int = _setting(64, "maximum explanations, searches and other single calls in the queue", minimum=1)
    held_mb: float = _setting(256.0, "memory for open requests, and again for responses not read by clients", unit="MB")
    max_body_mb: float = _setting(8.0, "maximum size of a request", minimum=0.001, unit="MB")
    max_texts: int = _setting(2048, "maximum texts in a request", minimum=1)
    max_tokens: int = _setting(32_768, "maximum tokens in a text; models truncate to their own limit", minimum=1)
    max_explained: int = _setting(16, "maximum texts in a request to /explain", minimum=1)
    explain_tokens: int = _setting(
        400_000, "maximum tokens that a request to /explain or /similarity may run", minimum=0
    )
    gradients: bool = _setting(
        False, "allow the methods gradient and integrated in /explain: slow, and they need torch"
    )
    request_seconds: float = _setting(60.0, "maximum time for a response; beyond it requests get 504", minimum=0.1)
    body_seconds: float = _setting(
        20.0, "maximum time to receive a request, and for a client to read a response", minimum=0.1
    )
    idle_seconds: int = _setting(30, "time after which idle connections are closed", minimum=1)
    connections: int = _setting(
        1000, "maximum connections; beyond it idle ones are closed, or requests get 429", minimum=1
    )
    drain_seconds: float = _setting(
        0.0, 'seconds to report "not ready" before shutting down, so that load balancers can drain'
    )
    stop_seconds: int = _setting(30, "how long a shutdown waits for running requests", minimum=1)
    api_key_file: str | None = _setting(
        None, f"file with API keys, one per line; a single key can be in {KEY}", unit="FILE"
    )
    allowed_host: str = _setting(
        "",
        "allowed host names, separated by commas; .example.com for subdomains, * for any",
        unit="NAMES",
    )
    cors: str = _setting("", "allowed CORS origins, separated by commas (default: none)", unit="ORIGINS")
    watch: bool = _setting(False, "reload a model when its folder changes; SIGHUP reloads all models")
    watch_seconds: float = _setting(2.0, "seconds between two looks at the model folders", minimum=0.05)
    load_seconds: float = _setting(120.0, "maximum time to reload a model; beyond it the old one stays", minimum=0.1)
    log_level: str = _setting("info", f"{', '.join(LEVELS)}; requests are logged at info, without texts", unit="NAME")

    def __post_init__(self) -> None:
        faults = [
            f"{each.name} is {value}, expected at least {each.metadata['minimum']}"
            for each in fields(self)
            if isinstance(value := getattr(self, each.name), (int, float))
            and not each.metadata["minimum"] <= value < math.inf  # which nan is not, either
        ]
        if not self.port <= 65_535:
            faults.append(f"port is {self.port}, expected at most 65535")
        if self.log_level not in LEVELS:
            faults.append(f"log_level is {self.log_level!r}, expected one of {', '.join(LEVELS)}")
        if faults:
            raise ConfigError(faults, source="serve")

    @property
    def origins(self) -> tuple[str, ...]:
        """The allowed CORS origins."""
        return tuple(filter(None, (origin.strip().rstrip("/") for origin in self.cors.split(","))))

    @property
    def allowed_hosts(self) -> tuple[str, ...]:
        """The allowed host names."""
        return tuple(filter(None, (name.strip().lower().rstrip(".") for name in self.allowed_host.split(","))))

    @property
    def max_bytes(self) -> int:
        """Maximum size of a request in bytes."""
        return int(self.max_body_mb * 1e6)

    @property
    def held_bytes(self) -> int:
        """Maximum size of all open requests in bytes."""
        return int(self.held_mb * 1e6)

    @property
    def n_workers(self) -> int:
        """Number of batches that run in parallel."""
        return self.workers or available_cores()

    @classmethod
    def from_sources(cls, flags: Mapping[str, str], environment: Mapping[str, str]) -> ServeSettings:
        """Return the settings of flags and environment; flags win. All errors are reported at once."""
        values: dict[str, Any] = {}
        faults: list[str] = []
        for each in fields(cls):
            text = flags.get(each.name, environment.get(PREFIX + each.name.upper()))
            try:
                values |= {} if text is None else {each.name: _parse(each, text)}
            except HeedfulError as error:
                faults.append(str(error))
        try:
            settings = cls(**values)
        except ConfigError as error:
            faults += error.faults
        if faults:
            raise ConfigError(faults, source="serve")
        return settings

    def keys(self, environment: Mapping[str, str]) -> tuple[bytes, ...]:
        """Return the API keys; empty if none is needed. A key is never a flag: other users could see it."""
        texts = {KEY: environment[KEY]} if KEY in environment else {}
        if self.api_key_file is not None:
            try:
                texts[self.api_key_file] = Path(self.api_key_file).read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError) as error:
                raise HeedfulError(f"{self.api_key_file} cannot be read as a file of keys: {error}") from None
        for name, text in texts.items():
            if not text.strip():
                raise HeedfulError(f"an API key is required, but {name} is empty")
        lines = (line.strip() for text in texts.values() for line in text.splitlines())
        return tuple(line.encode("utf-8", "surrogateescape") for line in lines if line)


def _parse(each: Field[Any], text: str) -> Any:
    """Return the value of a setting from its text."""
    kind: type = str if each.default is None else type(each.default)
    if kind is bool:
        if text.lower() not in ("1", "true", "yes", "on", "0", "false", "no", "off", ""):
            raise HeedfulError(f"{each.name} is {text!r}, expected yes or no")
        return text.lower() in ("1", "true", "yes", "on")
    try:
        return kind(text)
    except ValueError:
        expected = "a whole number" if kind is int else "a number"
        raise HeedfulError(f"{each.name} is {text!r}, expected {expected}") from None


def available_cores(limit: Path = Path("/sys/fs/cgroup/cpu.max")) -> int:
    """Return the number of cores that this process may use, by its affinity and the limit of its container."""
    n_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = limit.read_text(encoding="ascii").split()
        return max(1, min(n_cores, -(-int(quota) // int(period))))
    except (OSError, ValueError):  # no container, no limit ("max"), or another version of cgroups
        return n_cores
