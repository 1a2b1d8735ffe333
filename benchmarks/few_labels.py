"""How good a classifier is with few labels: 50, 200 and 1,000 of SST-2 and AG News, five samples of each.

    python -m benchmarks.few_labels            # results/few_labels.json
    python -m benchmarks.few_labels --quick    # one sample of 50 labels, 200 dev texts, to see that it works; no file

Every classifier sees the same samples. `heedful train` keeps a tenth of its texts back to choose the best epoch by; the
logistic regressions choose C by cross-validation on all of them.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np

from benchmarks.datasets import ag_news, sst2
from benchmarks.embedding import say
from benchmarks.encoders import ENCODERS, set_up, why_not
from benchmarks.probe import labels_of, linear_probe, texts_of, tfidf_vectors
from benchmarks.result import read_result, write_result
from heedful.config import Config
from heedful.data.example import Example
from heedful.jobs.train.train import train_model
from heedful.runtime.model import load

SIZES = (50, 200, 1_000)
SEEDS = (0, 1, 2, 3, 4)
SETS = {"sst2": sst2, "ag_news": ag_news}
TRAINED = {"trained": "en-base", "scratch": "none"}  # method → where heedful begins from
PROBED = {"en-base": "en-base", "en-small": "en-small", "teacher": "teacher", "model2vec": "model2vec"}
NAMES = {
    "trained": "heedful train, from en-base",
    "scratch": "heedful train, from nothing",
    "en-base": "en-base vectors + logistic regression",
    "en-small": "en-small vectors + logistic regression",
    "teacher": "all-MiniLM-L6-v2 vectors + logistic regression",
    "model2vec": "model2vec vectors + logistic regression",
    "tfidf": "tf-idf + logistic regression",
}


@dataclass(frozen=True)
class Task:
    """A sample to learn from, and what to measure on."""

    train: list[Example]
    dev: list[Example]
    seed: int


class VectorStore:
    """The vectors of texts by one encoder, each made once."""

    def __init__(self, key: str, cache: Path, *, threads: int) -> None:
        ENCODERS[key].make(cache)
        self._encode = ENCODERS[key].load(cache, threads)
        self._known: dict[str, Any] = {}

    def add(self, texts: Sequence[str]) -> None:
        """Encode those that are new."""
        if new := sorted(set(texts) - set(self._known)):
            self._known.update(zip(new, self._encode(new), strict=True))

    def of(self, examples: Sequence[Example]) -> Any:
        """Return vectors (text, width)."""
        return np.stack([self._known[e.text] for e in examples])


def sample(pool: Sequence[Example], n: int, *, seed: int) -> list[Example]:
    """Return n examples with the pool's share of each label; of one seed, the smaller samples are in the larger."""
    order = np.random.default_rng(seed).permutation(len(pool))
    left = quotas([e.label for e in pool], n)
    chosen = []
    for i in order:
        if left[pool[i].label] > 0:
            left[pool[i].label] -= 1
            chosen.append(pool[i])
    return chosen


def quotas(labels: Sequence[str], n: int) -> dict[str, int]:
    """Return how many of n each label gets: its share, what rounding leaves over to the largest remainders."""
    names, counts = np.unique(np.asarray(labels), return_counts=True)
    exact = n * counts / len(labels)
    whole = np.floor(exact).astype(int)
    whole[np.argsort(whole - exact, kind="stable")[: n - int(whole.sum())]] += 1
    return {str(name): int(count) for name, count in zip(names, whole, strict=True)}


def trained(task: Task, start: str) -> float:
    """Train by the library and return the dev accuracy."""
    config = Config().changed(start=start, seed=task.seed, threads=1)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "model"
        train_model(config, out, examples=(task.train, []))
        found = load(out).predict(texts_of(task.dev))
    return float(np.mean(np.asarray(found) == np.asarray(labels_of(task.dev))))


def tfidf(task: Task) -> float:
    """Return the dev accuracy of words and pairs of words, C=10, as in the accuracy table."""
    from sklearn.linear_model import LogisticRegression

    train, dev = tfidf_vectors(texts_of(task.train), texts_of(task.dev))
    rival = LogisticRegression(C=10, max_iter=1000).fit(train, labels_of(task.train))
    return float(rival.score(dev, labels_of(task.dev)))


def probed(task: Task, vectors: VectorStore) -> float:
    """Return the dev accuracy of logistic regression on an encoder's vectors."""
    return linear_probe(vectors.of(task.train), labels_of(task.train), vectors.of(task.dev), labels_of(task.dev))


def measure(
    methods: Sequence[str], sizes: Sequence[int], seeds: Sequence[int], cache: Path, *, threads: int, quick: bool
) -> dict[str, Any]:
    """Return accuracies by set, method and size."""
    stores = {m: VectorStore(PROBED[m], cache, threads=threads) for m in methods if m in PROBED}
    figures: dict[str, Any] = {}
    for name, read in SETS.items():
        texts = read()
        dev = texts.dev[:200] if quick else texts.dev
        tasks = {n: [Task(sample(texts.train, n, seed=seed), dev, seed) for seed in seeds] for n in sizes}
        for method, store in stores.items():
            say(f"{name}: vectors by {method}")
            store.add([e.text for found in tasks.values() for task in found for e in (*task.train, *task.dev)])
        figures[name] = {m: {str(n): row(m, tasks[n], stores, at=f"{name} {n}") for n in sizes} for m in methods}
    return figures


def row(method: str, tasks: Sequence[Task], stores: dict[str, VectorStore], *, at: str) -> dict[str, Any]:
    """Return mean, spread and values of a method over the samples of one size, in percent."""
    started = time.monotonic()
    values = [100 * accuracy(method, task, stores) for task in tasks]
    spread = stdev(values) if len(values) > 1 else None
    taken = (time.monotonic() - started) / len(tasks)
    say(f"{at:14} {method:10} {mean(values):.1f} ± {spread or 0:.1f}  {taken:.1f} s each")
    return {"mean": mean(values), "spread": spread, "values": values, "seconds": taken}


def accuracy(method: str, task: Task, stores: dict[str, VectorStore]) -> float:
    """Return the dev accuracy of one method on one sample."""
    if method in TRAINED:
        return trained(task, TRAINED[method])
    return tfidf(task) if method == "tfidf" else probed(task, stores[method])


def missing(method: str) -> str | None:
    """Return why a method cannot be measured here, None where it can."""
    encoder = TRAINED.get(method, PROBED.get(method, "none"))
    return None if encoder == "none" else why_not(encoder)


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default=",".join(NAMES), help="the others stay as they were measured last")
    parser.add_argument("--cache", type=Path, help="folder for what is made once (the distilled model2vec)")
    parser.add_argument("--threads", type=int, default=2, help="for the encoders; trainings take one")
    parser.add_argument("--quick", action="store_true", help="one sample of 50 labels; writes no file")
    args = parser.parse_args()
    asked = args.rows.split(",")
    if strange := sorted(set(asked) - set(NAMES)):
        parser.error(f"no such row: {', '.join(strange)}. Known: {', '.join(NAMES)}")
    set_up(args.threads)
    skipped = {method: reason for method in asked if (reason := missing(method))}
    for method, reason in skipped.items():
        say(f"skipping {method}: {reason}")
    methods = [method for method in asked if method not in skipped]
    sizes, seeds = (SIZES[:1], SEEDS[:1]) if args.quick else (SIZES, SEEDS)
    with tempfile.TemporaryDirectory() as folder:
        cache = (args.cache or Path(folder)).absolute()
        cache.mkdir(parents=True, exist_ok=True)
        table = measure(methods, sizes, seeds, cache, threads=args.threads, quick=args.quick)
    before = {} if args.quick else (read_result("few_labels") or {}).get("table", {})
    table = {name: {**before.get(name, {}), **rows} for name, rows in table.items()}
    measured = [m for m in NAMES if all(m in rows for rows in table.values())]
    figures = {"names": {m: NAMES[m] for m in measured}, "sizes": list(sizes), "table": table, "skipped": skipped}
    if args.quick:
        print(json.dumps(figures, indent=1))
    else:
        write_result("few_labels", figures, seeds=list(seeds))


if __name__ == "__main__":
    main()
