"""Hashes of the training rows, a few kilobytes, to detect that a model is evaluated on its training data."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST = 1_500  # hashes to keep; of more rows, the smallest hashes, which are a uniform sample
Hashes = NDArray[np.uint32]


@dataclass(frozen=True)
class Overlap:
    """The number of rows that are also training rows."""

    seen: int
    rows: int
    is_estimate: bool  # whether `seen` is extrapolated from a sample


@dataclass(frozen=True)
class TrainedOn:
    """Distinct 32-bit hashes of the training inputs, in ascending order."""

    hashes: Hashes
    is_sample: bool

    @classmethod
    def of(cls, inputs: Iterable[Any]) -> TrainedOn:
        """Return the hashes of inputs."""
        hashes = np.unique(hashes_of(inputs))
        return cls(hashes[:MOST], len(hashes) > MOST)

    def overlap(self, inputs: Iterable[Any]) -> Overlap:
        """Return how many of these inputs are training inputs."""
        hashes = hashes_of(inputs)
        if not len(hashes) or not len(self.hashes):
            return Overlap(0, len(hashes), False)
        if not self.is_sample:
            return Overlap(int(np.isin(hashes, self.hashes).sum()), len(hashes), False)
        sampled = hashes[hashes <= self.hashes[-1]]
        share = float(np.isin(sampled, self.hashes).mean()) if len(sampled) else 0.0
        return Overlap(round(share * len(hashes)), len(hashes), True)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for facts.json."""
        return {"hashes": base64.b64encode(self.hashes.astype("<u4").tobytes()).decode(), "is_sample": self.is_sample}

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> TrainedOn:
        """Read the output of `to_dict`, checked by `is_trained_on`."""
        raw = base64.b64decode(kept["hashes"])
        return cls(np.frombuffer(raw, dtype="<u4").astype(np.uint32), kept["is_sample"])


def is_trained_on(kept: object) -> bool:
    """Return whether this is a valid entry of facts.json, or None."""
    if kept is None:
        return True
    if not (isinstance(kept, Mapping) and set(kept) == {"hashes", "is_sample"} and type(kept["is_sample"]) is bool):
        return False
    try:
        raw = base64.b64decode(kept["hashes"], validate=True)
    except (TypeError, ValueError):
        return False
    return len(raw) % 4 == 0 and len(raw) <= 4 * MOST


def hashes_of(inputs: Iterable[Any]) -> Hashes:
    """Return a hash of each input that is a text, a tuple of texts or an array; others are ignored."""
    hashes = [_hash(value) for value in inputs]
    return np.array([value for value in hashes if value is not None], dtype=np.uint32)


def _hash(value: Any) -> int | None:
    if isinstance(value, str):
        raw = value.strip().encode("utf-8", "surrogatepass")
    elif isinstance(value, tuple) and all(isinstance(part, str) for part in value):
        raw = "\x00".join(part.strip() for part in value).encode("utf-8", "surrogatepass")
    elif isinstance(value, np.ndarray):
        raw = value.tobytes()
    else:
        return None
    return int.from_bytes(hashlib.blake2b(raw, digest_size=4).digest(), "little")
