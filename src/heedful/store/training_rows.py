"""Which rows a model was trained on, in a few kilobytes: enough to notice that it is tested on them."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST = 1_500  # hashes that are kept; of more rows those with the smallest hashes, which are a fair sample
Hashes = NDArray[np.uint32]


@dataclass(frozen=True)
class Overlap:
    """How many of some rows were trained on."""

    seen: int
    rows: int
    is_estimate: bool  # whether it was counted on a sample


@dataclass(frozen=True)
class TrainedOn:
    """Hashes of 32 bits of the inputs that a model was trained on, each once, the smallest first."""

    hashes: Hashes
    is_sample: bool

    @classmethod
    def of(cls, inputs: Iterable[Any]) -> TrainedOn:
        """Return the hashes of some inputs."""
        found = np.unique(hashes_of(inputs))
        return cls(found[:MOST], len(found) > MOST)

    def overlap(self, inputs: Iterable[Any]) -> Overlap:
        """Return how many of these inputs are among those that were trained on."""
        asked = hashes_of(inputs)
        if not len(asked) or not len(self.hashes):
            return Overlap(0, len(asked), False)
        if not self.is_sample:
            return Overlap(int(np.isin(asked, self.hashes).sum()), len(asked), False)
        sampled = asked[asked <= self.hashes[-1]]
        share = float(np.isin(sampled, self.hashes).mean()) if len(sampled) else 0.0
        return Overlap(round(share * len(asked)), len(asked), True)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for facts.json."""
        return {"hashes": base64.b64encode(self.hashes.astype("<u4").tobytes()).decode(), "is_sample": self.is_sample}

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> TrainedOn:
        """Read what `to_dict` wrote, checked by `is_trained_on`."""
        raw = base64.b64decode(kept["hashes"])
        return cls(np.frombuffer(raw, dtype="<u4").astype(np.uint32), kept["is_sample"])


def is_trained_on(kept: object) -> bool:
    """Return whether facts.json has hashes that can be read, or none."""
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
    """Return a hash of each input that is a text, several texts, or an array; others are left out."""
    found = [_hash(one) for one in inputs]
    return np.array([one for one in found if one is not None], dtype=np.uint32)


def _hash(one: Any) -> int | None:
    if isinstance(one, str):
        raw = one.strip().encode("utf-8", "surrogatepass")
    elif isinstance(one, tuple) and all(isinstance(part, str) for part in one):
        raw = "\x00".join(part.strip() for part in one).encode("utf-8", "surrogatepass")
    elif isinstance(one, np.ndarray):
        raw = one.tobytes()
    else:
        return None
    return int.from_bytes(hashlib.blake2b(raw, digest_size=4).digest(), "little")
