"""What docs/results.md says of work past one process and past memory."""

from __future__ import annotations

from typing import Any

from benchmarks.aims import said
from benchmarks.result import read_result


def scale() -> str:
    """A corpus through Ray beside one process."""
    f: dict[str, Any] = read_result("scale")
    head = f"| sentences to vectors of `{f['model']}` | one process | Ray, {f['workers']} workers | ratio | "
    rows = [head + "peak memory, one : Ray | largest difference |", "|---|---|---|---|---|---|"]
    closing = f"Rates have the start of all processes in them. {said(f['targets'])}"
    return "\n".join([*rows, *map(_row, f["rows"]), "", closing])


def _row(row: dict[str, Any]) -> str:
    one, ray = row["alone"], row["ray"]
    cells = [
        f"{row['rows']:,}",
        f"{one['rows_per_second']:,.0f} a second",
        f"{ray['rows_per_second']:,.0f} a second",
        f"{row['ray_over_alone']:.2f}×",
        f"{one['peak_mb']:,.0f} : {ray['peak_mb']:,.0f} MB",
        f"{row['largest_difference']:.1g}",
    ]
    return f"| {' | '.join(cells)} |"


def together() -> str:
    """Two processes that train one model, and a file that is streamed."""
    f: dict[str, Any] = read_result("together")
    one = f["sst2"]["1"]
    small, large = f["stream"]
    figure = {n: f"{100 * row['accuracy']:.1f} ± {100 * row['spread']:.1f}" for n, row in f["sst2"].items()}
    return (
        f"SST-2 by two processes of torchrun: dev accuracy {figure['2']}, by one {figure['1']} (the same batch in all, "
        f"{len(one['all'])} seeds). Training on a stream of {large['rows']:,} rows ({large['file_mb']:.0f} MB) held "
        f"{large['peak_mb']:.0f} MB at most, on {small['rows']:,} rows {small['peak_mb']:.0f} MB. {said(f['targets'])}"
    )
