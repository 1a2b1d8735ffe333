"""The table of tasks."""

from __future__ import annotations

from typing import Any

from benchmarks.result import read_result
from benchmarks.task_recipes import SETS

LOWER = ("RMSE",)  # metrics of which less is better


def tasks() -> str:
    """Each set, how it was done, our result, the aim, and a published result. Descriptions are those of the recipes."""
    lines = ["| data | how | metric | ours | aim | reference | minutes |", "|---|---|---|---|---|---|---|"]
    for name, one in read_result("tasks").items():
        variants = SETS[name].variants
        for i, (key, row) in enumerate(one["rows"].items()):
            title, reference = (one["title"], one["reference"]) if i == 0 else ("", "")
            shown = f"{variants[key].about} | {one['figure']} | {_ours(row, one)} | {_aim(row, one)}"
            lines.append(f"| {title} | {shown} | {reference} | {max(1.0, row['minutes']):.0f} |")
    return "\n".join(lines)


def _ours(row: dict[str, Any], one: dict[str, Any]) -> str:
    digits = one["digits"]
    spread = "" if row["spread"] is None else f" ± {row['spread']:.{digits}f}"
    seeds = f" ({len(row['values'])} seeds)" if len(row["values"]) > 1 else ""
    return f"{row['mean']:.{digits}f}{spread}{seeds}"


def _aim(row: dict[str, Any], one: dict[str, Any]) -> str:
    if row["aim"] is None:
        return ""
    found = round(row["mean"], one["digits"])
    is_met = found <= row["aim"] if one["figure"] in LOWER else found >= row["aim"]
    return f"{row['aim']:g}, {'met' if is_met else 'missed'}"
