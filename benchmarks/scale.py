"""The engine against one process: throughput, memory, and the same vectors row for row.

    python -m benchmarks.scale                      # en-base, 10,000, 100,000 and all 1.06 million sentences
    python -m benchmarks.scale --model en-small
    python -m benchmarks.scale --quick              # 2,000 and 6,000 sentences: does it run at all? Writes no result

Embeds the shuffled sentences of ../shared/data/corpus from one parquet file, by `heedful embed` alone (its threads are
all cores) and by `heedful embed --engine ray` with a worker a core, each in processes of its own, which are watched.
"""

from __future__ import annotations

import argparse
import gzip
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.result import DATA, write_result

SIZES = (10_000, 100_000, 1_055_166)
QUICK = (2_000, 6_000)
EQUAL, SHARE, FLAT, LINEAR = 1e-5, 0.85, 1.25, 1.25
MOST_SECONDS = 3 * 3600  # of one command


def sentences() -> list[str]:
    """Return all sentences in random order, so that the first tenth is like the last."""
    files = sorted((DATA / "corpus").glob("*.txt.gz"))
    lines = [line for file in files for line in gzip.decompress(file.read_bytes()).decode().splitlines()]
    random.Random(0).shuffle(lines)
    return lines


def watch(command: list[str], log: Path) -> dict[str, float]:
    """Run a command; return its seconds and the peak memory of it and of all processes that it started.

    `peak_mb` counts memory that processes share once (PSS); `worker_peak_mb` is the largest of the processes.
    """
    started, peak, largest = time.perf_counter(), 0, 0
    with log.open("w") as file:
        process = psutil.Popen(command, stdout=file, stderr=subprocess.STDOUT)
        while process.poll() is None:
            total, most = memory(process)
            peak, largest = max(peak, total), max(largest, most)
            if time.perf_counter() - started > MOST_SECONDS:
                process.kill()
            time.sleep(0.5)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed with {process.returncode}:\n{log.read_text()[-2000:]}")
    return {"seconds": time.perf_counter() - started, "peak_mb": peak / 1e6, "worker_peak_mb": largest / 1e6}


def memory(process: psutil.Process) -> tuple[int, int]:
    """Return the memory of a process and its children, and that of the largest."""
    sizes = [0]
    try:
        family = [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0, 0
    for one in family:
        try:
            sizes.append(one.memory_full_info().pss)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return sum(sizes), max(sizes)


def alone(model: str, corpus: Path, home: Path) -> dict[str, float]:
    """Embed in one process."""
    out = home / "alone.parquet"
    return watch(
        [sys.executable, "-m", "heedful", "embed", model, str(corpus), "-o", str(out), "--quiet"], home / "alone.log"
    )


def on_ray(model: str, corpus: Path, home: Path, workers: int, part_rows: int | None) -> dict[str, float]:
    """Embed by the engine; `steady_rows_per_second` leaves out how long Ray takes to start."""
    out = home / "out"
    command = [sys.executable, "-m", "heedful", "embed", model, str(corpus), "-o", str(out), "--engine", "ray"]
    command += ["--workers", str(workers), "--quiet", "--overwrite"]
    command += [] if part_rows is None else ["--part-rows", str(part_rows)]
    seen = watch(command, home / "ray.log")
    ends = sorted(file.stat().st_mtime for file in (out / "_done").glob("*.json"))
    parts = sorted(out.glob("part-*.parquet"))
    after = sum(pq.ParquetFile(part).metadata.num_rows for part in parts) * (len(ends) - workers) / max(1, len(ends))
    if len(ends) > workers:  # from when each worker has done its first part
        seen["steady_rows_per_second"] = after / max(ends[-1] - ends[workers - 1], 1e-9)
    return seen | {"parts": float(len(parts))}


def largest_difference(home: Path) -> float:
    """Return by how much any number of any vector differs; raise where the rows are not the same."""
    worst, rows = 0.0, 0
    parts = sorted((home / "out").glob("part-*.parquet"))
    ours = evenly(batch for part in parts for batch in batches(part))
    for (texts, vectors), (same, others) in zip(ours, evenly(batches(home / "alone.parquet")), strict=True):
        if texts != same:
            raise SystemExit(f"the rows differ after row {rows:,}")
        worst, rows = max(worst, float(np.abs(vectors - others).max(initial=0.0))), rows + len(texts)
    return worst


def batches(path: Path) -> Iterator[pa.RecordBatch]:
    """Yield texts and vectors of a file, some at a time."""
    yield from pq.ParquetFile(path).iter_batches(4096, columns=["text", "vector"])


def evenly(found: Iterator[pa.RecordBatch], size: int = 5_000) -> Iterator[tuple[list[str], Any]]:
    """Yield the same number of rows each time, wherever the batches end."""
    held: list[pa.RecordBatch] = []
    for batch in found:
        held.append(batch)
        while sum(one.num_rows for one in held) >= size:
            table = pa.Table.from_batches(held)
            yield arrays(table.slice(0, size))
            held = table.slice(size).to_batches()
    if held:
        yield arrays(pa.Table.from_batches(held))


def arrays(table: pa.Table) -> tuple[list[str], Any]:
    """Return texts and vectors (text, width)."""
    vectors = table["vector"].combine_chunks().flatten().to_numpy()
    return table["text"].to_pylist(), vectors.reshape(len(table), -1)


def measure(model: str, lines: list[str], workers: int, part_rows: int | None) -> dict[str, Any]:
    """Embed some sentences both ways."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        pq.write_table(pa.table({"text": lines}), home / "corpus.parquet", row_group_size=50_000)
        row: dict[str, Any] = {"rows": len(lines)}
        for name, seen in (
            ("alone", alone(model, home / "corpus.parquet", home)),
            ("ray", on_ray(model, home / "corpus.parquet", home, workers, part_rows)),
        ):
            row[name] = seen | {"rows_per_second": len(lines) / seen["seconds"]}
            print(f"{len(lines):>9,} {name:>5}", {key: round(value, 1) for key, value in row[name].items()}, flush=True)
        row["ray_over_alone"] = row["ray"]["rows_per_second"] / row["alone"]["rows_per_second"]
        row["largest_difference"] = largest_difference(home)
    return row


def judged(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the targets, each with what was found."""
    first, last = rows[-2]["ray"], rows[-1]
    rate = first.get("steady_rows_per_second", first["rows_per_second"])
    at_end = last["ray"].get("steady_rows_per_second", last["ray"]["rows_per_second"])
    worst = max(row["largest_difference"] for row in rows)
    grown, slowed = last["ray"]["peak_mb"] / first["peak_mb"], rate / at_end
    than = f"× that of {rows[-2]['rows']:,} rows"
    found = [
        (f"ray ≥ {SHARE} × one process, start included", last["ray_over_alone"], last["ray_over_alone"] >= SHARE),
        (f"vectors equal to {EQUAL:g}", worst, worst <= EQUAL),
        (f"peak memory ≤ {FLAT} {than}", grown, grown <= FLAT),
        (f"time for a row ≤ {LINEAR} {than}", slowed, slowed <= LINEAR),
    ]
    return [{"target": target, "ratio": ratio, "met": bool(met)} for target, ratio, met in found]


def main(arguments: list[str] | None = None) -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="en-base")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--quick", action="store_true")
    args = parser.parse_args([] if arguments is None else arguments)
    lines = sentences()
    sizes, part_rows = (QUICK, 500) if args.quick else (SIZES, None)
    rows = [measure(args.model, lines[:size], args.workers, part_rows) for size in sizes]
    targets = judged(rows)
    for target in targets:
        print("met " if target["met"] else "NOT ", f"{target['ratio']:.4g}", target["target"], flush=True)
    if not args.quick:
        notes = "alone: `heedful embed`, all cores; ray: a worker a core; peak_mb: all processes, shared memory once"
        figures = {"model": args.model, "workers": args.workers, "rows": rows, "targets": targets}
        write_result("scale", figures, seeds=[0], notes=notes)


if __name__ == "__main__":
    main(sys.argv[1:])
