"""A million sentences through a static model to parquet: throughput, its evenness, and peak memory.

    python -m benchmarks.embed_corpus

Trains a small static model on SST-2 with GloVe vectors, then runs `heedful embed` over the shuffled sentences of
../shared/data/corpus in a process of its own and watches it.
"""

from __future__ import annotations

import gzip
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

from benchmarks.result import DATA, write_result
from heedful.config import Config
from heedful.jobs.train.train import train_model

HOPS = 4


def train_static(folder: Path) -> Path:
    """Return the folder of a static model with 4 hops of 50 numbers."""
    config = Config().changed(
        train=str(DATA / "sst2/train.tsv"),
        valid=str(DATA / "sst2/dev.tsv"),
        vectors=str(DATA / "glove_6b_50d/vectors.txt.gz"),
        vocab_size=80_000,
        encoder="static",
        n_hops=HOPS,
        epochs=3,
    )
    train_model(config, folder / "static")
    return folder / "static"


def shuffled_corpus(folder: Path) -> Path:
    """Write all sentences in random order, so that the first tenth is like the last."""
    files = sorted((DATA / "corpus").glob("*.txt.gz"))
    lines = [line for file in files for line in gzip.decompress(file.read_bytes()).splitlines(keepends=True)]
    random.Random(0).shuffle(lines)
    path = folder / "corpus.txt"
    path.write_bytes(b"".join(lines))
    return path


def watch(model: Path, corpus: Path, out: Path) -> dict[str, Any]:
    """Run the command, reading its memory and how much it has written."""
    command = [sys.executable, "-m", "heedful", "embed", str(model), str(corpus), "-o", str(out), "--quiet"]
    started = time.perf_counter()
    process = psutil.Popen(command)
    partial = out.with_name(f".{out.name}.{process.pid}.partial")
    peak, points = 0, []
    while process.poll() is None:
        try:
            peak = max(peak, process.memory_info().rss)
        except psutil.NoSuchProcess:
            break
        points.append((time.perf_counter() - started, partial.stat().st_size if partial.exists() else 0))
        time.sleep(0.2)
    if process.returncode != 0:
        raise SystemExit(f"heedful embed failed with {process.returncode}")
    return {"seconds": time.perf_counter() - started, "peak_mb": peak / 1e6, "points": points}


def evenness(points: list[tuple[float, int]]) -> float:
    """Return the speed of the last tenth over that of the first, by bytes written."""
    total = max(size for _, size in points)
    first = [t for t, size in points if 0 < size <= total * 0.1]
    last = [t for t, size in points if size >= total * 0.9]
    return (first[-1] - first[0]) / (last[-1] - last[0])


def main() -> None:
    """Measure and write the result."""
    with tempfile.TemporaryDirectory() as folder:
        model = train_static(Path(folder))
        out = Path(folder) / "vectors.parquet"
        seen = watch(model, shuffled_corpus(Path(folder)), out)
        import pyarrow.parquet as pq

        rows = pq.ParquetFile(out).metadata.num_rows
        figures = {
            "rows": rows,
            "width": HOPS * 50,
            "rows_per_second": rows / seen["seconds"],
            "seconds": seen["seconds"],
            "peak_mb": seen["peak_mb"],
            "last_tenth_over_first": evenness(seen["points"]),
            "parquet_mb": out.stat().st_size / 1e6,
        }
    print(figures, flush=True)
    write_result("embed_corpus", figures)


if __name__ == "__main__":
    main()
