"""What came of a run."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from heedful.engines.output import Counted
from heedful.engines.plan import Plan


@dataclass(frozen=True)
class Summary:
    """What came of a run; rows and bad are of all its parts, those of earlier runs too."""

    out: str
    parts: int
    parts_before: int  # done by an earlier run
    rows: int
    bad: int
    seconds: float
    rows_per_second: float
    left_out: tuple[str, ...]  # files, or parts of files

    @property
    def is_whole(self) -> bool:
        """Whether there is an answer to every row that can be read, and such a row."""
        return not self.left_out and (self.rows > 0 or self.bad == 0)


def summed(out: str, plan: Plan, before: Mapping[str, Counted], now: Mapping[str, Counted], started: float) -> Summary:
    """Return the sum over all parts, those that were done before too."""
    found = {**before, **{name: one for name, one in now.items() if one.failed is None}}
    seconds, ours = time.monotonic() - started, [one for one in now.values() if one.failed is None]
    rate = sum(one.rows + one.bad for one in ours) / seconds if seconds > 0 else 0.0
    left_out = [f"{file.name}: {file.fault}" for file in plan.files if file.fault]
    for part in plan.parts:
        one = found.get(part.name)
        if one is None:
            why = now[part.name].failed if part.name in now else "its worker died, and so did the next"
            left_out.append(f"{part.file.name}, rows from {part.cut.row:,}: {why}; the same command tries it again")
        elif one.fault:
            left_out.append(f"{part.file.name}: {one.fault}")
    return Summary(
        out=out,
        parts=len(plan.cuts),
        parts_before=len(before),
        rows=sum(one.rows for one in found.values()),
        bad=sum(one.bad for one in found.values()),
        seconds=seconds,
        rows_per_second=rate,
        left_out=tuple(left_out),
    )
