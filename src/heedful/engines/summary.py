"""The summary of a run."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from heedful.engines.output import PartResult
from heedful.engines.plan import Plan


@dataclass(frozen=True)
class Summary:
    """The summary of a run; `rows` and `bad` count all parts, those of earlier runs included."""

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
        """Whether no file or part was skipped, and not every row was rejected."""
        return not self.left_out and (self.rows > 0 or self.bad == 0)


def summed(
    out: str, plan: Plan, before: Mapping[str, PartResult], now: Mapping[str, PartResult], started: float
) -> Summary:
    """Sum over all parts, those done before included."""
    done = {**before, **{name: result for name, result in now.items() if result.failed is None}}
    seconds, finished_now = time.monotonic() - started, [result for result in now.values() if result.failed is None]
    rate = sum(result.rows + result.bad for result in finished_now) / seconds if seconds > 0 else 0.0
    left_out = [f"{file.name}: {file.fault}" for file in plan.files if file.fault]
    for part in plan.parts:
        result = done.get(part.name)
        if result is None:
            reason = now[part.name].failed if part.name in now else "its worker died, also on a retry"
            left_out.append(
                f"{part.file.name}, rows from {part.cut.row:,}: {reason}; run the same command to try again"
            )
        elif result.fault:
            left_out.append(f"{part.file.name}: {result.fault}")
    return Summary(
        out=out,
        parts=len(plan.cuts),
        parts_before=len(before),
        rows=sum(result.rows for result in done.values()),
        bad=sum(result.bad for result in done.values()),
        seconds=seconds,
        rows_per_second=rate,
        left_out=tuple(left_out),
    )
