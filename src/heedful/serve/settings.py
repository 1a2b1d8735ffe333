"""What `heedful serve` can be told: each is a flag, and an environment variable of the same name."""

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


def _set(default: Any, about: str, *, least: float = 0, unit: str = "N") -> Any:
    return field(default=default, metadata={"about": about, "least": least, "unit": unit})


@dataclass(frozen=True)
class ServeSettings:
    """How to serve. Limits are there so that no request, and no number of them, can take the machine down."""

    host: str = _set("127.0.0.1", "address to listen at; 0.0.0.0 for all of the machine's", unit="ADDRESS")
    port: int = _set(8080, "port to listen at; 0 for any that is free")
    workers: int = _set(0, "batches that are run at the same time; 0 for one on each core")
    batch_tokens: int = _set(4096, "tokens that are gathered into one batch, at most", least=1)
    wait_ms: float = _set(1.0, "how long a batch waits for company while others are running", unit="MS")
    queue_tokens: int = _set(200_000, "tokens that may wait; past it the answer is 429", least=1)
    queue_requests: int = _set(512, "requests that may wait; past it the answer is 429", least=1)
    queue_seconds: float = _set(
        5.0, "how long a request may wait, about; if it would wait longer the answer is 429", least=0.1
    )
    queue_calls: int = _set(64, "explanations, searches and other single calls that may wait", least=1)
    held_mb: float = _set(
        256.0, "requests, and as much again of answers not fetched, that are in memory at a time", unit="MB"
    )
    max_body_mb: float = _set(8.0, "largest request", least=0.001, unit="MB")
    max_texts: int = _set(2048, "texts in one request", least=1)
    max_tokens: int = _set(32_768, "tokens in one text; a model reads its own number of them and no more", least=1)
    max_explained: int = _set(16, "texts in one request to /explain", least=1)
    explain_tokens: int = _set(400_000, "tokens that one request to /explain or /similarity may run", least=0)
    gradients: bool = _set(False, "allow gradient and integrated in /explain: slow, and they need torch")
    request_seconds: float = _set(60.0, "how long an answer may take; past it, it is 504", least=0.1)
    body_seconds: float = _set(20.0, "how long a request may take to come in, and an answer to be fetched", least=0.1)
    idle_seconds: int = _set(30, "how long a connection is kept open without a request", least=1)
    connections: int = _set(1000, "connections at the same time; past it idle ones are closed, or it is 429", least=1)
    drain_seconds: float = _set(0.0, "how long /ready says no before a stop, for balancers to hear of it")
    stop_seconds: int = _set(30, "how long a stop waits for answers that are under way", least=1)
    api_key_file: str | None = _set(
        None, f"file with the keys that are let in, one to a line; or one in {KEY}", unit="FILE"
    )
    allowed_host: str = _set(
        "",
        "names clients may call this server by, with commas; .example.com for all below, * for any",
        unit="NAMES",
    )
    cors: str = _set("", "origins whose pages may call this, with commas (default: none)", unit="ORIGINS")
    watch: bool = _set(False, "load a model again when its folder changes; SIGHUP does it at any time")
    load_seconds: float = _set(120.0, "how long loading a model again may take; past it the old one stays", least=0.1)
    log_level: str = _set("info", f"{', '.join(LEVELS)}; requests are logged at info, without their texts", unit="NAME")

    def __post_init__(self) -> None:
        faults = [
            f"{each.name} is {value}, expected at least {each.metadata['least']}"
            for each in fields(self)
            if isinstance(value := getattr(self, each.name), (int, float))
            and not each.metadata["least"] <= value < math.inf  # which nan is not, either
        ]
        if not self.port <= 65_535:
            faults.append(f"port is {self.port}, expected at most 65535")
        if self.log_level not in LEVELS:
            faults.append(f"log_level is {self.log_level!r}, expected one of {', '.join(LEVELS)}")
        if faults:
            raise ConfigError(faults, source="serve")

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins whose pages may call."""
        return tuple(filter(None, (each.strip().rstrip("/") for each in self.cors.split(","))))

    @property
    def allowed_hosts(self) -> tuple[str, ...]:
        """The names that clients may call this server by."""
        return tuple(filter(None, (each.strip().lower().rstrip(".") for each in self.allowed_host.split(","))))

    @property
    def max_bytes(self) -> int:
        """The largest request, in bytes."""
        return int(self.max_body_mb * 1e6)

    @property
    def held_bytes(self) -> int:
        """What all requests may hold together, in bytes."""
        return int(self.held_mb * 1e6)

    @property
    def n_workers(self) -> int:
        """How many batches are run at the same time."""
        return self.workers or cores()

    @classmethod
    def given(cls, flags: Mapping[str, str], environment: Mapping[str, str]) -> ServeSettings:
        """Return what flags say, and the environment where they say nothing. All that is wrong is said at once."""
        values: dict[str, Any] = {}
        faults: list[str] = []
        for each in fields(cls):
            text = flags.get(each.name, environment.get(PREFIX + each.name.upper()))
            try:
                values |= {} if text is None else {each.name: _of_text(each, text)}
            except HeedfulError as error:
                faults.append(str(error))
        try:
            found = cls(**values)
        except ConfigError as error:
            faults += error.faults
        if faults:
            raise ConfigError(faults, source="serve")
        return found

    def keys(self, given: Mapping[str, str]) -> tuple[bytes, ...]:
        """Return the keys that are let in; none where everybody is. A key is never a flag: others could see it."""
        texts = {KEY: given[KEY]} if KEY in given else {}
        if self.api_key_file is not None:
            try:
                texts[self.api_key_file] = Path(self.api_key_file).read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError) as error:
                raise HeedfulError(f"{self.api_key_file} cannot be read as a file of keys: {error}") from None
        for name, text in texts.items():
            if not text.strip():
                raise HeedfulError(f"a key is asked for, but {name} is empty")
        lines = (line.strip() for text in texts.values() for line in text.splitlines())
        return tuple(line.encode("utf-8", "surrogateescape") for line in lines if line)


def _of_text(each: Field[Any], text: str) -> Any:
    """Return a setting as its type, from a flag or the environment."""
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


def cores(limit: Path = Path("/sys/fs/cgroup/cpu.max")) -> int:
    """Return how many cores this process may use: those it is bound to, and no more than its container is given."""
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = limit.read_text(encoding="ascii").split()
        return max(1, min(found, -(-int(quota) // int(period))))
    except (OSError, ValueError):  # no container, no limit ("max"), or another kind of cgroup
        return found
