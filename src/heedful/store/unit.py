"""The unit of a model whose answer is a number.

The graph gives numbers of mean 0 and spread 1 as 32-bit floats, which have about seven digits. Offset and factor are
kept beside it and used in 64 bits, so that 1763400000 and 1763400060 stay two numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Unit:
    """number = score × factor + offset."""

    offset: float = 0.0
    factor: float = 1.0

    def to_dict(self) -> dict[str, float]:
        """Return plain values for facts.json."""
        return asdict(self)

    @classmethod
    def of(cls, kept: Mapping[str, Any] | None) -> Unit:
        """Read what facts.json has; a folder of an older version has nothing, and its graph gives the number itself."""
        return cls() if kept is None else cls(float(kept["offset"]), float(kept["factor"]))

    def numbers(self, scores: NDArray[Any]) -> NDArray[np.float64]:
        """Return the numbers that scores stand for."""
        return np.asarray(scores, dtype=np.float64) * self.factor + self.offset


def is_unit(kept: object) -> bool:
    """Return whether facts.json has a unit that can be used, or none."""
    if kept is None:
        return True
    return (
        isinstance(kept, Mapping)
        and set(kept) == {"offset", "factor"}
        and all(type(value) in (int, float) and math.isfinite(value) for value in kept.values())
        and kept["factor"] > 0
    )


def shown_number(value: float) -> str:
    """Return a number for people: four digits, or all before the point."""
    return f"{value:.0f}" if 1e4 <= abs(value) < 1e15 else f"{value:.4g}"
