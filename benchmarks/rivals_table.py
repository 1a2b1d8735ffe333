"""The README's own table and a sentence: heedful beside rivals, and accuracy by the number of labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.result import read_result

COLUMNS = {
    "messages": "messages",
    "sst2": "SST-2",
    "trec": "TREC",
    "ag_news": "AG News",
    "banking77": "Banking77",
}
LEARNED = {"ag_news": "four topics of news", "sst2": "two sentiments of reviews"}


def rivals() -> str:
    """Mean accuracy by set, seconds to train, milliseconds for an answer and megabytes, best mean first."""
    return _table(lambda cell: f"{cell['mean']:.1f}")


def rivals_spread() -> str:
    """The same with the spread of samples and seeds."""
    return _table(lambda cell: f"{cell['mean']:.1f}" + ("" if cell["spread"] is None else f" ± {cell['spread']:.1f}"))


def _table(accuracy: Callable[[dict[str, Any]], str]) -> str:
    rows: dict[str, Any] = read_result("rivals")["rows"]
    heads = [*COLUMNS.values(), "train", "answer", "installed"]
    lines = [f"| | {' | '.join(heads)} |", "|---|" + "---|" * len(heads)]
    for row in sorted(rows.values(), key=lambda row: -row["mean"]):
        accuracies = [accuracy(row["sets"][name]) for name in COLUMNS]
        costs = [f"{_rounded(row['seconds'])} s", f"{_rounded(row['one_ms'])} ms", f"{row['run_mb']:,.0f} MB"]
        lines.append(f"| {' | '.join([row['name'], *accuracies, *costs])} |")
    samples = max(len(cell["values"]) for row in rows.values() for cell in row["sets"].values())
    once = (
        "One sample of texts: a difference of a point or two means little"
        if samples == 1
        else f"Means of {samples} samples of texts"
    )
    return "\n".join([*lines, "", f"{once}. To train, heedful needs torch: {rows['heedful']['train_mb']:,.0f} MB."])


def _rounded(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}" if value >= 0.1 else f"{value:.2f}"


def labels_needed() -> str:
    """Accuracy by the number of labels, ours and that of tf-idf, as a sentence."""
    measured: dict[str, Any] = read_result("few_labels")
    sizes = [str(size) for size in measured["sizes"]]
    parts = []
    for name, title in LEARNED.items():
        ours, rival = (_listed(measured["table"][name][key], sizes) for key in ("trained", "tfidf"))
        parts.append(f"{ours} for {title}, where tf-idf + logistic regression has {rival}")
    return f"Accuracy with {_joined([f'{int(size):,}' for size in sizes])} labelled texts in all: {'; '.join(parts)}."


def _listed(row: dict[str, Any], sizes: list[str]) -> str:
    return _joined([f"{row[size]['mean']:.0f}" for size in sizes])


def _joined(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"
