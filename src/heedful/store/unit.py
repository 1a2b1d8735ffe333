"""The scale of a regression model's predictions.

The graph returns standardised 32-bit floats, which have about seven digits. Offset and factor are stored separately
and applied in 64 bits, so that 1763400000 and 1763400060 stay distinct.
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
        """Read the entry of facts.json; older folders have none, and their graph returns the number itself."""
        return cls() if kept is None else cls(float(kept["offset"]), float(kept["factor"]))

    def numbers(self, scores: NDArray[Any]) -> NDArray[np.float64]:
        """Convert scores to numbers."""
        return np.asarray(scores, dtype=np.float64) * self.factor + self.offset


def is_unit(kept: object) -> bool:
    """Return whether this is a valid entry of facts.json, or None."""
    if kept is None:
        return True
    return (
        isinstance(kept, Mapping)
        and set(kept) == {"offset", "factor"}
        and all(type(value) in (int, float) and math.isfinite(value) for value in kept.values())
        and kept["factor"] > 0
    )


def display_number(value: float) -> str:
    """Format a number for display: four digits, or all digits before the point."""
    return f"{value:.0f}" if 1e4 <= abs(value) < 1e15 else f"{value:.4g}"
