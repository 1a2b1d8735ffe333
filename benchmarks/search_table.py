"""The tables of search in docs/results.md."""

from __future__ import annotations

from statistics import mean
from typing import Any

from benchmarks.result import read_result

ROWS = {
    "en-base both": "heedful en-base, words and meaning",
    "en-small both": "heedful en-small, words and meaning",
    "words": "words alone (BM25)",
    "minilm": "all-MiniLM-L6-v2, ONNX int8",
    "en-base meaning": "heedful en-base, meaning alone",
    "en-small meaning": "heedful en-small, meaning alone",
}


def search() -> str:
    """nDCG@10 by way of searching and set."""
    figures: dict[str, Any] = read_result("search")
    sets = figures["rows"]
    lines = [f"| | {' | '.join(sets)} | mean |", "|---|" + "---|" * (len(sets) + 1)]
    lines += [_line(name, [cells[key] for cells in sets.values()]) for key, name in ROWS.items()]
    turns = figures["in_turns"]
    chosen = ", ".join(f"{name} {turn['ndcg']:.1f} (part of words {turn['words']})" for name, turn in turns.items())
    again = figures["reranked"]
    reranked = "; ".join(
        f"{name} {cells['meaning']:.1f}, {cells['words']:.1f}, {cells['both']:.1f}" for name, cells in again.items()
    )
    return "\n".join(
        [
            *lines,
            "",
            f"With the part of words chosen on the other two sets: {chosen}. The 100 documents nearest to a query "
            f"ranked again by meaning, by words and by both (`rerank`): {reranked}.",
        ]
    )


def _line(name: str, values: list[float]) -> str:
    return f"| {name} | {' | '.join(f'{value:.1f}' for value in [*values, mean(values)])} |"


def search_rows() -> str:
    """Time and memory of a large index in a sentence."""
    figures: dict[str, Any] = read_result("search_rows")
    queries = ", ".join(
        f"by {by} {cells['p50']:.0f} ms (p99 {cells['p99']:.0f})" for by, cells in figures["query_ms"].items()
    )
    load, minutes = figures["load"], figures["add_seconds"] / 60
    return (
        f"{figures['rows']:,} sentences with `{figures['model']}`, one thread, on two cores shared with other work "
        f"(load {load['before']:.0f} to {load['queries']:.0f}): {minutes:.0f} minutes to embed and add, "
        f"{figures['optimise_seconds'] / 60:.1f} to build the indexes, {figures['disk_mb'] / 1000:.1f} GB on disk, "
        f"peak memory {figures['peak_mb']:,.0f} MB; a search {queries}."
    )
