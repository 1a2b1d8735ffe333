"""Texts without labels: `heedful train --unlabelled` beside `heedful train`, with few labels.

    python -m benchmarks.unlabelled                     # about fifteen minutes on one core

The unlabelled texts are those of the training split. Accuracy on dev in percent, over seeds.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np

from benchmarks.embedding import say
from benchmarks.languages import SETS, chosen
from benchmarks.probe import labels_of, texts_of
from benchmarks.result import write_result

SEEDS = (0, 1, 2)
NAMES = ("nsmc", "chnsenticorp", "germeval18")
SIZES = ("500", "2000")


def accuracies(name: str, size: str, unlabelled: Path | None) -> dict[str, Any]:
    """Return the mean and the spread of the accuracy, and how often training started from the unlabelled texts."""
    import heedful

    source, found, starts = SETS[name], [], []
    unseen = source.read("dev")
    for seed in SEEDS:
        train = chosen(source, size, seed)
        settings: dict[str, Any] = {} if unlabelled is None else {"unlabelled": str(unlabelled)}
        with tempfile.TemporaryDirectory() as folder:
            model = heedful.train(
                (texts_of(train), labels_of(train)),
                Path(folder) / "m",
                seed=seed,
                threads=1,
                progress=False,
                **settings,
            )
            answers = np.asarray(model.predict(texts_of(unseen)))
        found.append(100 * float(np.mean(answers == np.asarray(labels_of(unseen)))))
        starts.append(model.config.train.start == "unlabelled")
    return {"mean": mean(found), "spread": stdev(found), "starts": sum(starts)}


def main() -> None:
    """Measure and write the result."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    import torch

    torch.set_num_threads(1)
    table: dict[str, Any] = {}
    for name in NAMES:
        texts = [" ".join(text.split()) for text in texts_of(SETS[name].read("train"))]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "more.txt"
            path.write_text("\n".join(texts) + "\n", encoding="utf-8")
            for size in SIZES:
                ways = {"without": accuracies(name, size, None), "with": accuracies(name, size, path)}
                say(f"{name} {size}: {ways}")
                own = table.setdefault(name, {"name": SETS[name].name, "texts": len(texts), "sizes": {}})
                own["sizes"][size] = ways
    write_result("unlabelled", {"table": table}, seeds=list(SEEDS))


if __name__ == "__main__":
    main()
