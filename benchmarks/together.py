"""Training past one process and past memory: torchrun with two processes, and files that are streamed.

    python -m benchmarks.together                # both parts, some 15 minutes on two cores
    python -m benchmarks.together --part stream  # one of them again, beside what was found of the other (or sst2)
    python -m benchmarks.together --quick        # one seed and fewer rows, to see that it runs

Part one trains the same model on SST-2 with one process and with two, the batch in all being the same, and compares dev
accuracy over seeds. Part two trains one epoch on a stream of 50,000 rows and of twenty times as many, each in a process
of its own, and compares the most memory that was held.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from benchmarks.result import DATA, read_result, write_result

MODEL = ["--start", "none", "--units", "64", "--hops", "8", "--embed-width", "100", "--batch-size", "64"]
STREAM = ["--start", "none", "--encoder", "static", "--hops", "8", "--embed-width", "64", "--batch-size", "64"]
STREAM += ["--vocab-size", "20000"]  # so that both know as many words: 50,000 rows have 43,000
SOURCES = ("wikipedia", "blogs", "tatoeba_en")  # what a sentence is from is its label
ROWS, TIMES = 50_000, 20


def trained(n: int, out: Path, *flags: str) -> tuple[dict[str, Any], float]:
    """Train with n processes; return what the command says and how long it took."""
    launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(n), "-m", "--"]
    words = ["heedful", "train", *flags, "-o", str(out), "--json", "-q"]
    command = [sys.executable, *(launcher if n > 1 else ["-m"]), *words]
    started = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout), time.monotonic() - started


def accuracies(home: Path, seeds: range, epochs: int) -> dict[str, Any]:
    """Return dev accuracy on SST-2 by the number of processes."""
    train, dev = (str(next((DATA / "sst2").glob(f"{part}.tsv*"))) for part in ("train", "dev"))
    found: dict[str, Any] = {}
    for n in (1, 2):
        rows, seconds = [], []
        for seed in seeds:
            flags = [train, "--valid", dev, *MODEL, "--epochs", str(epochs), "--seed", str(seed), "--threads", "1"]
            result, took = trained(n, home / f"{n}-{seed}", *flags)
            rows.append(result["figures"]["accuracy"])
            seconds.append(took)
            print(f"{n} process{'es' * (n > 1)}, seed {seed}: dev accuracy {rows[-1]:.4f} in {took:.0f} s", flush=True)
        spread = stdev(rows) if len(rows) > 1 else 0.0
        found[str(n)] = {"accuracy": mean(rows), "spread": spread, "all": rows, "seconds": seconds}
    return found


def lines(n: int) -> Iterator[str]:
    """Yield n labelled sentences as JSON, the sources in turn; one that ends begins again."""
    rng = random.Random(0)
    files: dict[str, Any] = {}
    for i in range(n):
        name = SOURCES[rng.randrange(len(SOURCES))]
        if name not in files or not (line := files[name].readline()):
            files[name] = gzip.open(DATA / "corpus" / f"{name}.txt.gz", "rt", encoding="utf-8")  # noqa: SIM115
            line = files[name].readline()
        yield json.dumps({"text": line.strip(), "label": name, "row": i}, ensure_ascii=False) + "\n"


def memory(home: Path, rows: int) -> dict[str, Any]:
    """Return the most memory, in MB, that training on so many streamed rows held."""
    file = home / f"{rows}.jsonl"
    with file.open("w", encoding="utf-8") as out:
        out.writelines(lines(rows))
    # In a process of its own: what counts is the largest of its children, of which it has one.
    code = "import sys; from benchmarks.together import watched; watched(*sys.argv[1:])"
    flags = [str(file), *STREAM, "--stream", "--shuffle-rows", "20000", "--epochs", "1", "--threads", "1"]
    flags += ["--text", "text", "--label", "label"]
    done = subprocess.run([sys.executable, "-c", code, str(home / f"s{rows}"), *flags], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    size = file.stat().st_size / 1e6
    print(f"{rows:,} rows ({size:.0f} MB): {found['peak_mb']:.0f} MB at most, {found['seconds']:.0f} s", flush=True)
    return {"rows": rows, "file_mb": size, **found}


def watched(out: str, *flags: str) -> None:
    """Train in a child, and print the most memory that it held."""
    result, seconds = trained(1, Path(out), *flags)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(json.dumps({"peak_mb": peak, "seconds": seconds, "accuracy": result["figures"]["accuracy"]}))


def main() -> None:
    """Run both parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one seed, fewer rows; writes nothing")
    parser.add_argument("--part", choices=("sst2", "stream"), help="measure this part only")
    args = parser.parse_args()
    quick = args.quick
    seeds, rows = (range(1), 5_000) if quick else (range(3), ROWS)
    found = (read_result("together") or {}) if args.part else {}
    with tempfile.TemporaryDirectory() as home:
        if args.part != "stream" or "sst2" not in found:
            found["sst2"] = accuracies(Path(home), seeds, 1 if quick else 6)
        if args.part != "sst2" or "stream" not in found:
            found["stream"] = [memory(Path(home), n) for n in (rows, rows * TIMES)]
    by_processes, streams = found["sst2"], found["stream"]
    one, two = by_processes["1"], by_processes["2"]
    apart, allowed = abs(one["accuracy"] - two["accuracy"]), max(one["spread"], two["spread"])
    growth = streams[1]["peak_mb"] / streams[0]["peak_mb"]
    targets = [
        {
            "target": "dev accuracy of two processes within the spread of seeds of one",
            "ratio": apart,
            "met": apart <= allowed,
        },
        {"target": "peak memory of 20 × the rows ≤ 1.05 × that of 1 ×", "ratio": growth, "met": growth <= 1.05},
    ]
    figures = {"sst2": by_processes, "stream": streams, "targets": targets}
    print(json.dumps(targets, indent=1))
    if not quick:
        write_result("together", figures, seeds=list(seeds))


if __name__ == "__main__":
    main()
