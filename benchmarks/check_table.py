"""Tables of docs/results.md about `heedful check`."""

from __future__ import annotations

from typing import Any

from benchmarks.result import read_result

SETS = {"sst2": "SST-2", "ag_news": "AG News", "banking77": "Banking77"}
KINDS = {"random": "at random", "nearest": "to the nearest"}
COLUMNS = {
    "heedful": "heedful",
    "cleanlab ours self_confidence": "cleanlab, our probabilities",
    "cleanlab ours normalized_margin": "cleanlab, ours, by margin",
    "cleanlab tfidf self_confidence": "cleanlab, tf-idf",
    "cleanlab tfidf normalized_margin": "cleanlab, tf-idf, by margin",
}


def check_labels() -> str:
    """Precision at the number of wrong labels and average precision, by set, kind and rate."""
    rows: dict[str, Any] = (read_result("check") or {})["labels"]
    lines = [f"| | wrong labels | {' | '.join(COLUMNS.values())} |", "|---|---|" + "---|" * len(COLUMNS)]
    for row in rows.values():
        cells = [_both(row["methods"][name]) for name in COLUMNS]
        what = f"{row['rate']:.0%} {KINDS[row['kind']]}".replace("%", " %")
        lines.append(f"| {SETS[row['set']]}, {row['n']:,} rows | {what} | {' | '.join(cells)} |")
    means = [_both(_mean([row["methods"][name] for row in rows.values()])) for name in COLUMNS]
    return "\n".join([*lines, f"| mean | | {' | '.join(means)} |"])


def _mean(cells: list[dict[str, float]]) -> dict[str, float]:
    return {key: sum(cell[key] for cell in cells) / len(cells) for key in ("precision", "average")}


def _both(cell: dict[str, float]) -> str:
    return f"{100 * cell['precision']:.1f} / {100 * cell['average']:.1f}"


def check_duplicates() -> str:
    """Recall and precision of planted near duplicates, with time and memory."""
    found: dict[str, Any] = (read_result("check") or {})["duplicates"]
    recall, precision = (f"{100 * found[name]:.1f} %" for name in ("recall", "precision"))
    minutes, memory = f"{found['check_minutes']:.1f} minutes", f"{found['peak_mb']:,.0f} MB"
    return (
        f"{found['rows']:,} rows, {found['planted']:,} of them planted near copies: recall {recall}, precision "
        f"{precision}; {minutes} for the whole check, judged labels included, peak memory {memory}."
    )
