"""Accuracy on five text sets: the paper's model, its baselines by the same training code, and two rivals.

    python -m benchmarks.accuracy            # all of it, about two hours on two cores; goes on where it was stopped
    python -m benchmarks.accuracy --sets trec --models ours,max

A neural model trains on all training texts for a fixed number of epochs and its last weights are measured: dev chooses
no epoch. (It did choose the settings below, the same for all sets and, but for the pooler, the same for all models.)
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from benchmarks.datasets import SETS, TextSet
from benchmarks.result import DATA, RESULTS, write_result
from heedful.config import Config

SEEDS = (0, 1, 2)
VECTORS = str(DATA / "glove_6b_50d" / "vectors.txt.gz")
COMMON: dict[str, Any] = {
    "units": 100,
    "attention_width": 150,
    "batch_size": 32,
    "vectors": VECTORS,
    "vocab_size": 80_000,
}
NEURAL: dict[str, dict[str, Any]] = {
    "ours": {"pooler": "structured", "head": "pruned"},
    "max": {"pooler": "max", "head": "full"},
    "mean": {"pooler": "mean", "head": "full"},
    "cnn": {"encoder": "cnn", "pooler": "max", "head": "full"},
}
NAMES = {
    "ours": "structured attention (the paper's model)",
    "max": "BiLSTM + max",
    "mean": "BiLSTM + mean",
    "cnn": "CNN + max",
    "tfidf": "tf-idf + logistic regression",
    "fasttext": "fastText",
}
CACHE = RESULTS / "accuracy.cells.jsonl"


def neural(texts: TextSet, model: str, seed: int) -> float:
    """Train one network and return its dev accuracy after the last epoch."""
    from heedful.network.build import build_network
    from heedful.tasks.classify.goal import ClassifyGoal, LabelledSet
    from heedful.training.loop.loss import ClassifyLoss
    from heedful.training.loop.trainer import Trainer
    from heedful.training.start.vocab import make_featuriser, place_vectors

    config = Config().changed(**COMMON, **NEURAL[model], epochs=texts.epochs, patience=texts.epochs, seed=seed)
    featuriser, start = make_featuriser([e.text for e in texts.train], config.text)
    assert start is not None
    config = config.changed(embed_width=int(start.values.shape[1]))
    labels = sorted({e.label for e in texts.train})
    network = build_network(config.model, n_ids=len(featuriser), n_classes=len(labels), seed=seed)
    place_vectors(network, start)
    trainer = Trainer(
        network,
        ClassifyGoal(
            LabelledSet.of([featuriser.features(e.text) for e in texts.train], texts.train, labels),
            LabelledSet.of([featuriser.features(e.text) for e in texts.dev], texts.dev, labels),
            labels=labels,
            error=ClassifyLoss(coefficient=config.model.penalty),
        ),
        settings=config.train,
    )
    return trainer.run().records[-1].metrics["accuracy"]


def tfidf(texts: TextSet, _: str, __: int) -> float:
    """Words and pairs of words, weighted, into logistic regression."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    rival = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), LogisticRegression(C=10, max_iter=2000)
    )
    rival.fit([e.text for e in texts.train], [e.label for e in texts.train])
    return float(rival.score([e.text for e in texts.dev], [e.label for e in texts.dev]))


def fasttext(texts: TextSet, _: str, seed: int) -> float:
    """Word and bigram vectors, averaged; its authors' usual settings for sets of this size."""
    import tempfile

    import fasttext as rival  # type: ignore[import-not-found, unused-ignore]

    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        for e in texts.train:
            file.write(f"__label__{e.label} {' '.join(e.text.lower().split())}\n")
        file.flush()
        options = {"lr": 0.5, "epoch": 25, "wordNgrams": 2, "dim": 100, "thread": 1, "seed": seed, "verbose": 0}
        model = rival.train_supervised(file.name, **options)
    # model.f, because the wrapper's own predict does not work with NumPy 2
    found = [model.f.predict(" ".join(e.text.lower().split()) + "\n", 1, 0.0, "strict")[0][1] for e in texts.dev]
    return float(mean(a == f"__label__{e.label}" for a, e in zip(found, texts.dev, strict=True)))


RUNNERS: dict[str, Callable[[TextSet, str, int], float]] = {
    **dict.fromkeys(NEURAL, neural),
    "tfidf": tfidf,
    "fasttext": fasttext,
}


def cached() -> dict[tuple[str, str, int], float]:
    """Return what earlier runs measured."""
    if not CACHE.exists():
        return {}
    rows = [json.loads(line) for line in CACHE.read_text().splitlines()]
    return {(r["set"], r["model"], r["seed"]): r["accuracy"] for r in rows}


def measure(sets: Sequence[str], models: Sequence[str], seeds: Sequence[int]) -> None:
    """Fill the cells that are missing."""
    for set_name in sets:
        texts: TextSet | None = None
        for seed in seeds:
            for model in models:
                if (set_name, model, seed) in cached() or (model == "tfidf" and seed != seeds[0]):
                    continue
                texts = texts or SETS[set_name]()
                started = time.monotonic()
                accuracy = RUNNERS[model](texts, model, seed)
                row = {"set": set_name, "model": model, "seed": seed, "accuracy": accuracy}
                with CACHE.open("a") as file:
                    file.write(json.dumps(row) + "\n")
                print(
                    f"{set_name:8} {model:9} seed {seed}  {accuracy:.4f}  {time.monotonic() - started:.0f} s",
                    flush=True,
                )


def table() -> dict[str, Any]:
    """Return mean and spread for each model and set, and the mean over sets."""
    cells = cached()
    figures: dict[str, Any] = {}
    for model, name in NAMES.items():
        row: dict[str, Any] = {"name": name}
        for set_name in SETS:
            values = [100 * a for (s, m, _), a in cells.items() if s == set_name and m == model]
            if values:
                spread = stdev(values) if len(values) > 1 else None
                row[set_name] = {"mean": mean(values), "spread": spread, "values": values}
        if all(s in row for s in SETS):
            row["all"] = mean(row[s]["mean"] for s in SETS)
        figures[model] = row
    return figures


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--models", default=",".join(NAMES))
    parser.add_argument("--seeds", default=",".join(map(str, SEEDS)))
    parser.add_argument("--threads", type=int, help="threads for torch")
    args = parser.parse_args()
    if args.threads:
        import torch

        torch.set_num_threads(args.threads)
    RESULTS.mkdir(exist_ok=True)
    measure(args.sets.split(","), args.models.split(","), [int(s) for s in args.seeds.split(",")])
    settings = {k: v for k, v in COMMON.items() if k != "vectors"} | {"vectors": Path(VECTORS).parent.name}
    write_result("accuracy", {"settings": settings, "table": table()}, seeds=list(SEEDS))


if __name__ == "__main__":
    main()
