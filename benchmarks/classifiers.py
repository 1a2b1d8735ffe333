"""The table of text classifiers: eight ways on five sets, with 8 texts a label, 50, 200, 1,000 and all labels.

    python -m benchmarks.classifiers                                  # all cells; resumes where it was stopped
    python -m benchmarks.classifiers --rows setfit,tuned --sets trec,sst2 --sizes "8 per label" --seeds 0,1
    python -m benchmarks.classifiers --speed                          # texts/s, one thread, by the models of SST-2

Every row sees the same texts; figures are of dev. CLINC150 is without its texts out of scope. Seconds of training are
those of the processor, from a list of texts to a model on disk, imports left out.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np

from benchmarks.classifier_row import SIZES, Row
from benchmarks.classifier_rows import CACHE as FOLDER
from benchmarks.classifier_rows import ROWS, offline
from benchmarks.embedding import say
from benchmarks.languages import ALL, EIGHT, Source, chosen
from benchmarks.probe import labels_of, texts_of
from benchmarks.result import RESULTS, read_result, write_result
from heedful.data.example import Example

SEEDS = (0, 1, 2)
CACHE = RESULTS / "classifiers.cells.jsonl"
SPEED_SET, SPEED_SECONDS = "sst2", 5.0
Cell = tuple[str, str, str, int]  # set, size, row, seed


class InScope(Source):
    """A set without the texts that belong to no class."""

    def read(self, split: str) -> list[Example]:
        """Return the texts of a split."""
        return [example for example in Source.read(self, split) if example.label != "oos"]


SETS: dict[str, Source] = {
    "sst2": Source("SST-2", "sst2", "English", SIZES),
    "trec": Source("TREC", "trec", "English", SIZES),
    "ag_news": Source("AG News", "ag_news", "English", SIZES),
    "banking77": Source("Banking77", "banking77", "English", (EIGHT, "1000", ALL)),
    "clinc150": InScope("CLINC150", "clinc150", "English", (EIGHT, ALL)),
}


@dataclass(frozen=True)
class Measured:
    """One training: accuracy in percent, seconds, and the size of the model on disk."""

    accuracy: float
    seconds: float
    megabytes: float
    texts: int


def texts_to_learn(source: Source, size: str, seed: int) -> list[Example]:
    """Return the sample in an order of its own: files may stand class by class."""
    examples = chosen(source, size, seed)
    return [examples[i] for i in np.random.default_rng(seed).permutation(len(examples))]


def measure(row: Row, train: list[Example], dev: list[Example], seed: int, folder: Path) -> Measured:
    """Train once into a folder and measure."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    texts, labels = texts_of(train), labels_of(train)
    row.warm_up()
    row.prepare(texts)
    started = time.process_time()
    earlier = row.fit(texts, labels, seed, folder)
    seconds = time.process_time() - started + earlier
    predicted = np.asarray([str(label) for label in row.predictor(folder)(texts_of(dev))])
    accuracy = 100 * float(np.mean(predicted == np.asarray(labels_of(dev))))
    return Measured(accuracy, seconds, row.megabytes(folder), len(train))


def cached() -> dict[Cell, Measured]:
    """Return the measurements of earlier runs."""
    rows = [json.loads(line) for line in CACHE.read_text().splitlines()] if CACHE.exists() else []
    return {(row.pop("set"), row.pop("size"), row.pop("row"), row.pop("seed")): Measured(**row) for row in rows}


def missing(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells to measure; of a row without a seed, all texts are measured once."""
    measured = cached()
    return [
        (name, size, row, seed)
        for name, size, row, seed in cells
        if size in SETS[name].sizes
        and size in ROWS[row].sizes
        and (name, size, row, seed) not in measured
        and (seed == SEEDS[0] or size != ALL or ROWS[row].has_seed)
    ]


def fill(cells: Sequence[Cell]) -> None:
    """Measure the cells that are missing."""
    left = missing(cells)
    for i, (name, size, row, seed) in enumerate(left):
        folder = model_folder(name, size, row, seed)
        measured = measure(ROWS[row], texts_to_learn(SETS[name], size, seed), SETS[name].read("dev"), seed, folder)
        if not is_kept(name, size, row, seed):
            shutil.rmtree(folder)
        with CACHE.open("a", encoding="utf-8") as file:
            cell = {"set": name, "size": size, "row": row, "seed": seed, **asdict(measured)}
            file.write(json.dumps(cell) + "\n")
        say(
            f"{i + 1}/{len(left)} {name} {size}, {row}, seed {seed}: {measured.accuracy:.1f} % in "
            f"{measured.seconds:.1f} s; left: about {expected(left[i + 1 :]) / 60:.0f} min of the processor"
        )


def model_folder(name: str, size: str, row: str, seed: int) -> Path:
    """Return where the model of a cell is written."""
    return FOLDER / name / size.replace(" ", "_") / f"{row}-{seed}"


def is_kept(name: str, size: str, row: str, seed: int) -> bool:
    """Whether the model stays, for `--speed`: that of the last size that the row has."""
    return (name, size) == (SPEED_SET, speed_size(row)) and seed == SEEDS[0]


def speed_size(row: str) -> str:
    """Return the size of the model whose speed is measured."""
    return ALL if ALL in ROWS[row].sizes else EIGHT


def expected(cells: Sequence[Cell]) -> float:
    """Return the seconds of cells by those that were measured: of the set if there are any, else of the row."""
    measured = cached()
    total = 0.0
    for name, size, row, _ in cells:
        alike = [m for (n, s, r, _), m in measured.items() if (n, s, r) == (name, size, row)]
        alike = alike or [m for (_, _, r, _), m in measured.items() if r == row]
        known = [m.texts for (n, s, _, _), m in measured.items() if (n, s) == (name, size)]
        if alike and known:
            total += known[0] * sum(m.seconds for m in alike) / sum(m.texts for m in alike)
    return total


def table() -> dict[str, Any]:
    """Return mean and spread over seeds, by set, size and row."""
    measured = cached()
    result: dict[str, Any] = (read_result("classifiers") or {}).get("table", {})  # cells of earlier runs stay
    for name, source in SETS.items():
        row_of_set = result.setdefault(name, {"name": source.name, "sizes": {}})
        for size, row in product(source.sizes, ROWS):
            own = {seed: each for (n, s, r, seed), each in measured.items() if (n, s, r) == (name, size, row)}
            if own:
                row_of_set["sizes"].setdefault(size, {})[row] = _summary(own)
    return result


def _summary(by_seed: dict[int, Measured]) -> dict[str, Any]:
    own = list(by_seed.values())
    accuracies = [each.accuracy for each in own]
    return {
        "seeds": list(by_seed),
        "mean": mean(accuracies),
        "spread": stdev(accuracies) if len(own) > 1 else None,
        "values": accuracies,
        "seconds": mean(each.seconds for each in own),
        "megabytes": mean(each.megabytes for each in own),
        "texts": own[0].texts,
    }


def speed(row: str) -> float:
    """Return the texts that a model of SST-2 answers in a second of the processor; it is trained if none was kept."""
    folder, source = model_folder(SPEED_SET, speed_size(row), row, SEEDS[0]), SETS[SPEED_SET]
    if not folder.exists():
        measure(ROWS[row], texts_to_learn(source, EIGHT, SEEDS[0]), source.read("dev"), SEEDS[0], folder)
    predict, texts = ROWS[row].load(folder), texts_of(source.read("dev"))
    predict(texts[:100])
    started, answered = time.process_time(), 0
    while time.process_time() - started < SPEED_SECONDS:
        answered += len(predict(texts))
    return answered / (time.process_time() - started)


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--sizes", default=",".join(SIZES))
    parser.add_argument("--rows", default=",".join(ROWS))
    parser.add_argument("--seeds", default=",".join(map(str, SEEDS)))
    parser.add_argument("--speed", action="store_true", help="measure only how fast the models answer")
    args = parser.parse_args()
    offline()
    sets, sizes, rows = args.sets.split(","), args.sizes.split(","), args.rows.split(",")
    speeds: dict[str, float] = (read_result("classifiers") or {}).get("speed", {})
    if args.speed:
        for row in rows:
            speeds[row] = speed(row)
            say(f"{row}: {speeds[row]:,.0f} texts/s")
    else:
        seeds = [int(seed) for seed in args.seeds.split(",")]
        fill([(name, size, row, seed) for seed, row, size, name in product(seeds, rows, sizes, sets)])
    about = {key: {"name": row.name, "explains": row.explains} for key, row in ROWS.items()}
    write_result("classifiers", {"rows": about, "table": table(), "speed": speeds}, seeds=list(SEEDS))


if __name__ == "__main__":
    main()
