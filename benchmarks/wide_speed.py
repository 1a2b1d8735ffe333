"""Speed with n-grams: predictions beside a BiLSTM from scratch without them, and seconds of `heedful train`.

    python -m benchmarks.wide_speed                     # about ten minutes; wants a quiet machine

Both models are measured in turns in one run. Training is `heedful train` as it comes, with its comparison of starts.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.embedding import say
from benchmarks.languages import SETS, chosen
from benchmarks.probe import labels_of, texts_of
from benchmarks.result import write_result

NAMES = ("nsmc", "chnsenticorp", "germeval18", "trec")
N_TEXTS, N_SINGLE, ROUNDS = 4_000, 200, 7
BEFORE: dict[str, Any] = {"start": "none", "ngrams": 0, "encoder": "bilstm", "epochs": 1}  # epochs do not change speed


def seconds_of(call: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def measure(name: str, folder: Path) -> dict[str, Any]:
    """Train both models and measure them in turns."""
    import heedful

    source = SETS[name]
    train, unseen = chosen(source, str(N_TEXTS), 0), texts_of(source.read("dev"))
    data = (texts_of(train), labels_of(train))
    started, cpu_started = time.perf_counter(), time.process_time()
    now = heedful.train(data, folder / "now", progress=False)
    seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - cpu_started
    before = heedful.train(data, folder / "before", progress=False, **BEFORE)
    ratios: dict[str, list[float]] = {"batch": [], "single": []}
    milliseconds: list[float] = []
    for model in (now, before):
        model.predict(unseen)
    for _ in range(ROUNDS):
        ratios["batch"].append(
            seconds_of(lambda: before.predict(unseen)) / seconds_of(lambda: now.predict(unseen)),
        )
        single = [seconds_of(lambda m=m: [m.predict(text) for text in unseen[:N_SINGLE]]) for m in (before, now)]  # type: ignore[misc]
        ratios["single"].append(single[0] / single[1])
        milliseconds.append(1_000 * single[1] / N_SINGLE)
    return {
        "name": source.name,
        "texts": len(train),
        "train_seconds": seconds,
        "train_cpu_seconds": cpu_seconds,
        "batch": median(ratios["batch"]),
        "single": median(ratios["single"]),
        "milliseconds": median(milliseconds),
    }


def main() -> None:
    """Measure and write the result."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    table = {}
    for name in NAMES:
        with tempfile.TemporaryDirectory() as folder:
            table[name] = measure(name, Path(folder))
        say(f"{name}: {table[name]}")
    write_result("wide_speed", {"table": table, "single_texts": N_SINGLE})


if __name__ == "__main__":
    main()
