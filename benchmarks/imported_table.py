"""The table of imported transformers in docs/results.md."""

from __future__ import annotations

from typing import Any

from benchmarks.result import read_result


def imported() -> str:
    """STS-B dev and speed of the originals and of ours, and how far ours are from them."""
    figures: dict[str, Any] = read_result("imported")
    lines = [
        "| | STS-B: original, ours, int8 | largest difference | smallest cosine, int8 "
        "| sentences/s: original, ours, int8 |",
        "|---|---|---|---|---|",
    ]
    for row in figures["table"].values():
        ways = [row[way] for way in ("original", "float32", "int8")]
        quality = ", ".join(f"{way['stsb']:.2f}" for way in ways)
        speed = ", ".join(f"{way['sentences_per_second']:,.0f}" for way in ways)
        difference, cosine = row["float32"]["difference"], row["int8"]["cosine"]
        lines.append(f"| {row['name']} | {quality} | {difference:.0e} | {cosine:.3f} | {speed} |")
    return "\n".join(lines)
