"""Score functions compared: hops by each of them on SST-2 and TREC, all else equal.

    python -m benchmarks.scores              # all of it, about an hour on two cores; goes on where it was stopped
    python -m benchmarks.scores --seeds 0 --scores dot,content

Settings and training are those of the paper's model in `benchmarks.accuracy`: GloVe 50d, 100 units, a fixed number of
epochs, the last weights measured on dev. One thing was chosen with a look at dev: how large the queries of dot, scaled
dot and general begin, after one seed on SST-2.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from statistics import mean, stdev
from typing import Any

from benchmarks.accuracy import COMMON, NEURAL, SEEDS, neural
from benchmarks.datasets import SETS as SOURCES
from benchmarks.datasets import TextSet
from benchmarks.result import RESULTS, write_result

SETS = ("sst2", "trec")
NAMES = {
    "additive": "additive: v · tanh(W h), the paper's hops",
    "dot": "dot: q · h",
    "scaled_dot": "scaled dot: q · h / √width",
    "general": "general: q · W h",
    "content": "content: β cos(q, h)",
    "location": "location: (W q) · place",
}
CACHE = RESULTS / "scores.cells.jsonl"
Cell = tuple[str, str, int]

# The training code of the accuracy table, so that nothing but the score differs.
NEURAL.update({score: NEURAL["ours"] | {"score": score} for score in NAMES})


def cached() -> dict[Cell, float]:
    """Return what earlier runs measured."""
    rows = [json.loads(line) for line in CACHE.read_text().splitlines()] if CACHE.exists() else []
    return {(row["set"], row["score"], row["seed"]): row["accuracy"] for row in rows}


def measure(wanted: Sequence[Cell]) -> None:
    """Fill the cells that are missing."""
    read: dict[str, TextSet] = {}
    for name, score, seed in wanted:
        if (name, score, seed) in cached():
            continue
        if name not in read:
            read[name] = SOURCES[name]()
        started = time.monotonic()
        accuracy = neural(read[name], score, seed)
        with CACHE.open("a") as file:
            file.write(json.dumps({"set": name, "score": score, "seed": seed, "accuracy": accuracy}) + "\n")
        print(f"{name:5} {score:10} seed {seed}  {accuracy:.4f}  {time.monotonic() - started:.0f} s", flush=True)


def table(cells: dict[Cell, float]) -> dict[str, Any]:
    """Return mean and spread over seeds for each score and set, in per cent."""
    found: dict[str, Any] = {}
    for score, name in NAMES.items():
        found[score] = {"name": name}
        for source in SETS:
            values = [100 * cells[source, score, seed] for seed in SEEDS if (source, score, seed) in cells]
            if values:
                spread = stdev(values) if len(values) > 1 else None
                found[score][source] = {"mean": mean(values), "spread": spread, "values": values}
    return found


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--scores", default=",".join(NAMES))
    parser.add_argument("--seeds", default=",".join(map(str, SEEDS)))
    args = parser.parse_args()
    RESULTS.mkdir(exist_ok=True)
    sets, scores = args.sets.split(","), args.scores.split(",")
    measure([(s, score, int(seed)) for seed in args.seeds.split(",") for s in sets for score in scores])
    settings = {key: value for key, value in COMMON.items() if key != "vectors"} | {"vectors": "glove_6b_50d"}
    write_result("scores", {"settings": settings, "table": table(cached())}, seeds=list(SEEDS))


if __name__ == "__main__":
    main()
