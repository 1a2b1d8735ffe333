"""The first things a new user waits for: training on 616 rows with 77 labels, and the demo; on quiet and on busy cores.

    python -m benchmarks.first_half_hour                        # this checkout, some 5 minutes on two cores
    python -m benchmarks.first_half_hour --before OTHER/src     # another checkout's source too, e.g. of a git worktree
    python -m benchmarks.first_half_hour --only train --rounds 3

Busy means that each core also has a process that never stops computing. Each command is a process of its own, and its
environment has no OMP_NUM_THREADS or the like. The load before each run is noted: on a machine that others use, compare
within one run only.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.result import DATA, write_result

SOURCE = Path(__file__).parents[1] / "src"
EACH = 8  # rows of each label
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
SPIN = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(10**6))"  # ends with its parent


def few_rows(path: Path) -> int:
    """Write the first rows of each label of banking77 to a csv file; return how many."""
    seen: Counter[str] = Counter()
    with (DATA / "banking77" / "train.tsv").open(encoding="utf-8") as source:
        rows = [line.rstrip("\n").split("\t") for line in source][1:]
    with path.open("w", encoding="utf-8", newline="") as target:
        writer = csv.writer(target)
        writer.writerow(["text", "label"])
        for label, text in rows:
            seen[label] += 1
            if seen[label] <= EACH:
                writer.writerow([text, label])
    return sum(min(n, EACH) for n in seen.values())


@contextmanager
def busy_cores(n: int) -> Iterator[None]:
    """Keep n cores busy with other work."""
    spinning = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(n)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def timed(source: Path, *words: str) -> dict[str, float]:
    """Run a command of heedful from this source; return its seconds, and the load before it."""
    kept = {name: value for name, value in os.environ.items() if name not in THREADS}
    load, before = os.getloadavg()[0], _cpu_seconds()
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "heedful", *words],
        capture_output=True,
        text=True,
        env={**kept, "PYTHONPATH": str(source)},
    )
    seconds = time.monotonic() - started
    if done.returncode:
        raise SystemExit(f"heedful {' '.join(words)}\n{done.stderr}")
    cpu = _cpu_seconds() - before
    return {"seconds": round(seconds, 1), "cpu_seconds": round(cpu, 1), "load_before": round(load, 2)}


def _cpu_seconds() -> float:
    """Return the processor time of commands that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(source: Path, home: Path, only: str, rounds: int) -> dict[str, Any]:
    """Return the seconds of each command, quiet and busy."""
    data = home / "few.csv"
    few_rows(data)
    commands = {"train": ("train", str(data), "-q"), "demo": ("demo", "--json")}
    found: dict[str, Any] = {}
    for name, words in commands.items():
        if only not in (name, "all"):
            continue
        found[name] = {}
        for kind, n in (("quiet", 0), ("busy", os.cpu_count() or 1)):
            rows = []
            for i in range(rounds):
                with busy_cores(n), tempfile.TemporaryDirectory(dir=home) as out:
                    rows.append(timed(source, *words, "--out", str(Path(out) / f"model{i}")))
                print(f"{name}, {kind}: {rows[-1]}", flush=True)
            found[name][kind] = min(rows, key=lambda row: row["seconds"])
        found[name]["busy_over_quiet"] = round(found[name]["busy"]["seconds"] / found[name]["quiet"]["seconds"], 2)
    return found


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="source folder of another version, measured first")
    parser.add_argument("--only", choices=("train", "demo", "all"), default="all")
    parser.add_argument("--rounds", type=int, default=1, help="the best of so many")
    args = parser.parse_args()
    sources = {"before": args.before, "after": SOURCE} if args.before else {"after": SOURCE}
    figures: dict[str, Any] = {"rows": EACH * 77, "labels": 77}
    with tempfile.TemporaryDirectory(prefix="heedful-") as home:
        for name, source in sources.items():
            print(f"-- {name}: {source}", flush=True)
            figures[name] = measure(source.absolute(), Path(home), args.only, args.rounds)
    print(write_result("first_half_hour", figures, notes="seconds of a whole command, Python's start included"))


if __name__ == "__main__":
    main()
