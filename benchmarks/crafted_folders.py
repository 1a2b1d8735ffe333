"""Time and memory until a folder that was made to do harm is refused.

    python -m benchmarks.crafted_folders                     # results/crafted_folders.json
    python -m benchmarks.crafted_folders --before CHECKOUT   # also: loading en-base, against another checkout

Each folder of `crafted.py` is loaded in a process of its own. Seconds are from the call of `load` to the error, memory
is the peak of the whole process, with Python, NumPy and ONNX Runtime in it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.crafted import CASES, Crafted, craft
from benchmarks.result import write_result
from heedful.config import Config
from heedful.data.example import Example
from heedful.jobs.train.train import train_model

LIMIT = 30  # seconds until a process is stopped
LOAD = r"""
import json, re, sys, time
import heedful
from heedful.runtime.model import load
start, error = time.perf_counter(), ""
try:
    model = load(sys.argv[1], threads=1)
    if sys.argv[2] == "gradient":
        import torch, heedful.torch_model.network
        start = time.perf_counter()
        model.explain("the parcel was great", methods=("gradient",))
except heedful.HeedfulError as refused:
    error = str(refused)
peak = int(re.search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())[1]) / 1024  # ru_maxrss counts the parent too
print(json.dumps({"seconds": time.perf_counter() - start, "peak_mb": peak, "error": error}))
"""
TIMES = """
import json, time
from heedful.runtime.model import load
times = []
for _ in range(12):
    start = time.perf_counter()
    load("en-base", threads=1)
    times.append(time.perf_counter() - start)
print(json.dumps(times[2:]))
"""
TINY = {"units": 8, "n_hops": 2, "epochs": 1, "embed_width": 8, "attention_width": 8, "batch_size": 8, "start": "none"}


def made_folders(home: Path) -> dict[str, Path]:
    """Train the small models that the folders are made from."""
    texts = [Example(f"a {word} parcel", "good") for word in ("great", "quick", "lovely", "nice")]
    texts += [Example(f"a {word} parcel", "bad") for word in ("slow", "broken", "awful", "late")]
    pairs = [Example(f"a {word} dog", f"ein {word} Hund") for word in ("red", "big", "old", "new")] * 2
    subwords = {**TINY, "tokens": "subwords", "vocab_size": 60}
    kinds: dict[str, tuple[list[Example], dict[str, Any]]] = {
        "words": (texts, TINY),
        "subwords": (texts, subwords),
        "translator": (pairs, {**subwords, "task": "translate", "n_hops": 1, "decoder_units": 8}),
    }
    for kind, (examples, settings) in kinds.items():
        train_model(Config().changed(**settings), home / kind, examples=(examples * 4, examples))
    return {kind: home / kind for kind in kinds}


def measured(folder: Path, case: Crafted) -> dict[str, Any]:
    """Load a folder in a process of its own."""
    command = [sys.executable, "-c", LOAD, str(folder), "gradient" if case.on_gradient else "load"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return {"seconds": LIMIT, "peak_mb": None, "error": "", "exit": "stopped"}
    if done.returncode:
        return {"seconds": None, "peak_mb": None, "error": done.stderr[-300:], "exit": done.returncode}
    return {**json.loads(done.stdout), "exit": 0}


def load_times(before: Path) -> dict[str, float]:
    """Return how long `load("en-base")` takes in this checkout and in another, by turns."""
    here = Path(__file__).parents[1]
    times: dict[str, list[float]] = {"before": [], "now": []}
    for _ in range(6):
        for name, home in (("before", before), ("now", here)):
            env = {**os.environ, "PYTHONPATH": str(home / "src")}
            done = subprocess.run([sys.executable, "-c", TIMES], capture_output=True, text=True, check=True, env=env)
            times[name] += json.loads(done.stdout)
    medians = {name: statistics.median(each) for name, each in times.items()}
    return {**medians, "ratio": medians["now"] / medians["before"]}


def main() -> None:
    """Measure all folders and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="another checkout, whose loading of en-base is the reference")
    args = parser.parse_args()
    figures: dict[str, Any] = {"folders": {}}
    with tempfile.TemporaryDirectory() as home:
        sources = made_folders(Path(home))
        for name, case in CASES.items():
            folder = craft(sources[case.of], Path(home) / f"crafted-{name}", case)
            row = measured(folder, case)
            figures["folders"][name] = {**row, "error": row["error"].replace(home, "…")}
            print(
                f"{name:16} {row['seconds']!s:6.6} s  {row['peak_mb']!s:5.5} MB  {row['error'].replace(home, '…'):.110}"
            )
    rows = figures["folders"].values()
    figures["refused"] = sum(bool(row["error"]) and row["exit"] == 0 for row in rows)
    figures["slowest_seconds"] = max(row["seconds"] or LIMIT for row in rows)
    figures["largest_mb"] = max(row["peak_mb"] or float("inf") for row in rows)
    if args.before:
        figures["load_en_base"] = load_times(args.before)
    print({name: value for name, value in figures.items() if name != "folders"})
    print(write_result("crafted_folders", figures))


if __name__ == "__main__":
    main()
