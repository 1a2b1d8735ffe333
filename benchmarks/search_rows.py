"""An index of a million sentences: time to make it, time of a query, memory.

python -m benchmarks.search_rows                     # results/search_rows.json
python -m benchmarks.search_rows --rows 100000 --out FOLDER
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.encoders import corpus_sentences
from benchmarks.result import write_result
from heedful.runtime.model import load
from heedful.search.index import Index
from heedful.text.terms.mix import BY

MODEL, QUERIES = "en-small", 200
WARM = 20  # queries before those that are timed


def peak_mb() -> float:
    """Return the largest memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def rows_of(sentences: list[str], report: int) -> Iterator[dict[str, Any]]:
    """Yield rows with an id, and show progress."""
    for i, text in enumerate(sentences):
        if i % report == 0:
            print(f"{time.strftime('%H:%M:%S')} {i:,} rows", flush=True)
        yield {"id": str(i), "text": text}


def timed_queries(index: Index, queries: list[str], by: str) -> dict[str, float]:
    """Return the milliseconds of a search."""
    times = []
    for query in queries:
        start = time.perf_counter()
        index.search(query, 10, by=by)
        times.append(1000 * (time.perf_counter() - start))
    kept = times[WARM:]
    return {"p50": median(kept), "p99": float(np.percentile(kept, 99))}


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    sentences = corpus_sentences(args.rows + QUERIES + WARM)
    texts, queries = sentences[: args.rows], sentences[args.rows :]
    load_before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        path = args.out or Path(folder) / "index"
        index, start = Index.create(path, load(MODEL, threads=1)), time.perf_counter()
        index.add(rows_of(texts, 50_000))
        added = time.perf_counter()
        index.optimise()
        done = time.perf_counter()
        figures: dict[str, Any] = {
            "rows": len(texts),
            "model": MODEL,
            "add_seconds": added - start,
            "optimise_seconds": done - added,
            "peak_mb": peak_mb(),
            "disk_mb": sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) / 1e6,
            "load": {"before": load_before, "after": os.getloadavg()[0]},
        }
        print(figures, flush=True)
        index = Index.open(path, threads=1)
        figures["query_ms"] = {by: timed_queries(index, queries, by) for by in BY}
        figures["load"]["queries"] = os.getloadavg()[0]
        figures["peak_mb_after_queries"] = peak_mb()
        print(figures, flush=True)
        write_result("search_rows", figures, notes="one thread for the model; other work ran on the machine: see load")


if __name__ == "__main__":
    main()
