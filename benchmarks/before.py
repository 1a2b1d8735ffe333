"""Speed of this checkout against another one: predict, explain, encode, load, train and `heedful --help`.

    python -m benchmarks.before CHECKOUT     # results/before.json

A ratio above 1 means that this checkout is faster. It is the median of the ratios of all rounds; in each round both
run one right after the other, and the first one changes. For the server see `benchmarks.serve_before`.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.datasets import SETS
from benchmarks.embedding import say
from benchmarks.encoders import corpus_sentences
from benchmarks.installed import ROOT
from benchmarks.result import write_result
from heedful.config import Config
from heedful.jobs.train.train import train_model

WORK = ("load", "batch_1", "batch_128", "explain", "encode_1", "encode_all", "train")
SIDES = ("before", "now")
TRAIN_TEXTS, ENCODE_TEXTS = 4_000, 20_000
LEAST = 0.97


def environment(checkout: Path) -> dict[str, str]:
    """Return an environment in which `heedful` is that of a checkout."""
    return {**os.environ, "PYTHONPATH": f"{checkout.resolve() / 'src'}{os.pathsep}{ROOT}"}


@contextmanager
def worker(checkout: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run the worker of a checkout."""
    command = [sys.executable, str(ROOT / "benchmarks" / "before_worker.py"), *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment(checkout)) as process:
        try:
            answer(process)
            yield process
        finally:
            process.kill()


def answer(process: subprocess.Popen[str]) -> str:
    """Return the next line of a worker."""
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    if not line:
        raise RuntimeError("a worker ended")
    return line


def seconds(process: subprocess.Popen[str], piece: str) -> float:
    """Return the seconds of a piece of work."""
    assert process.stdin is not None
    process.stdin.write(piece + "\n")
    process.stdin.flush()
    return float(answer(process))


def help_seconds(checkout: Path) -> float:
    """Return the seconds of five times `heedful --help`."""
    started = time.perf_counter()
    for _ in range(5):
        command = [sys.executable, "-m", "heedful", "--help"]
        subprocess.run(command, check=True, capture_output=True, env=environment(checkout), cwd=checkout)
    return time.perf_counter() - started


def prepared(folder: Path) -> tuple[str, str, str]:
    """Write a model, texts and a training file; return their paths."""
    texts = SETS["sst2"]()
    rows = [(each.text, each.label) for each in texts.train[:TRAIN_TEXTS]]
    training, sentences = folder / "train.csv", folder / "texts.json"
    with training.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *rows])
    sentences.write_text(json.dumps(corpus_sentences(ENCODE_TEXTS)), encoding="utf-8")
    train_model(Config().changed(train=str(training), epochs=1), folder / "model")
    return str(folder / "model"), str(sentences), str(training)


def main() -> None:
    """Measure both and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="another checkout")
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    checkouts = dict(zip(SIDES, (args.before, ROOT), strict=True))
    rows: dict[str, dict[str, list[float]]] = {piece: {side: [] for side in SIDES} for piece in (*WORK, "help")}
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        paths = prepared(Path(name))
        workers = {side: stack.enter_context(worker(checkouts[side], *paths)) for side in SIDES}
        for i in range(args.rounds + 1):  # the first round warms up
            for piece, row in rows.items():
                for side in SIDES if i % 2 else reversed(SIDES):
                    used = help_seconds(checkouts[side]) if piece == "help" else seconds(workers[side], piece)
                    if i:
                        row[side].append(used)
            say(f"round {i} of {args.rounds}")
    cells: dict[str, dict[str, Any]] = {}
    for piece, row in rows.items():
        ratios = [before / now for before, now in zip(row["before"], row["now"], strict=True)]
        cells[piece] = {"ratio": median(ratios), "ratios": ratios, **row}
        say(f"{piece}: {median(ratios):.3f} {'' if median(ratios) >= LEAST else 'NOT met'}")
    write_result("before", {"cells": cells, "least": min(each["ratio"] for each in cells.values())})


if __name__ == "__main__":
    main()
