"""One side of `benchmarks.before`: does a named piece of work on request and reports its seconds.

Only names that both checkouts have are used: `heedful.load`, `heedful.train` and their results.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import heedful

LOADED = {"load": 20, "batch_1": 150, "explain": 40, "encode_1": 400}  # calls in a round


def work(model: str, texts: list[str], training: str) -> dict[str, Callable[[], float]]:
    """Return the pieces of work; each returns its seconds."""
    classifier, encoder = heedful.load(model), heedful.load("en-base")

    def timed(run: Callable[[], Any]) -> float:
        started = time.perf_counter()
        run()
        return time.perf_counter() - started

    def times(name: str, run: Callable[[str], Any]) -> float:
        return timed(lambda: [run(text) for text in texts[: LOADED[name]]])

    def train() -> float:
        """Return the seconds of the epochs, as the model folder reports them."""
        with tempfile.TemporaryDirectory() as folder:
            heedful.train(training, text="text", label="label", out=str(Path(folder) / "m"), epochs=3, patience=3)
            lines = (Path(folder) / "m" / "history.jsonl").read_text(encoding="utf-8").splitlines()
        return float(sum(json.loads(line)["seconds"] for line in lines))

    return {
        "load": lambda: timed(lambda: [heedful.load("en-base") for _ in range(LOADED["load"])]),
        "batch_1": lambda: times("batch_1", lambda text: classifier.predict([text])),
        "batch_128": lambda: timed(lambda: classifier.predict(texts[:1280])),
        "explain": lambda: times("explain", lambda text: classifier.explain(text)),
        "encode_1": lambda: times("encode_1", lambda text: encoder.encode([text])),
        "encode_all": lambda: timed(lambda: encoder.encode(texts)),
        "train": train,
    }


def main() -> None:
    """Answer each line of standard input, the name of a piece of work, with its seconds."""
    pieces = work(sys.argv[1], json.loads(Path(sys.argv[2]).read_text(encoding="utf-8")), sys.argv[3])
    print("ready", flush=True)
    for line in sys.stdin:
        print(pieces[line.strip()](), flush=True)


if __name__ == "__main__":
    main()
