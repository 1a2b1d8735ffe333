"""How dark a lift is, and what is odd about a hop in a few words: what page and terminal share."""

from __future__ import annotations

import math

from heedful.explain.hops.atlas import SAID, Hop, HopAtlas

LEAST = 3.0  # a lift below this is not drawn as a strong one, though it may be the largest


def lift_shade(lift: float, largest: float) -> float:
    """Return from 0 (the even share, or less) to 1 (the largest lift), in equal steps for equal factors."""
    return min(1.0, max(0.0, math.log(max(lift, 1e-9)) / math.log(max(largest, LEAST))))


def mark_of(atlas: HopAtlas, hop: Hop) -> str:
    """Return what is odd about a hop."""
    if hop.is_dead:
        return SAID[hop.state]
    others = [n for group in atlas.duplicates if hop.number in group for n in group if n != hop.number]
    return f"reads the same as {', '.join(map(str, others))}" if others else ""
