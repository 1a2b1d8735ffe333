"""Wrong labels and duplicates that were planted, found by `heedful check` and by cleanlab.

    RIVAL_PYTHON=… python -m benchmarks.check labels    # of a venv with cleanlab and scikit-learn
    python -m benchmarks.check duplicates

Labels: 5 and 10 % of the labels of a set are changed, to any other at random or to the nearest one (by the mean vectors
of `en-base`). All methods rank all rows; precision is that of as many rows as were changed. Labels that were wrong
before count as right, so no method can reach 100 %. cleanlab gets the same out-of-fold probabilities, and those of
tf-idf on words with logistic regression. Duplicates: one million sentences of `corpus`, of which 1 % were copied with
small changes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.check_duplicates import duplicates
from benchmarks.result import DATA, read_result, write_result
from heedful.data.read import read_examples
from heedful.explain.check.confident import confident_learning
from heedful.jobs.check.judge import judge_out_of_fold
from heedful.runtime.model import load

SETS = {"sst2": "SST-2", "ag_news": "AG News", "banking77": "Banking77"}
RATES, KINDS, SEED = (0.05, 0.1), ("random", "nearest"), 20170309
MOST = 10_000  # rows of a set
Ints = NDArray[np.int64]


def main() -> None:
    """Measure, and write `results/check.json`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("labels", "duplicates"))
    parser.add_argument("--rows", type=int, default=1_000_000)
    args = parser.parse_args()
    figures: dict[str, Any] = read_result("check") or {}
    figures[args.what] = (
        labels(os.environ.get("RIVAL_PYTHON", sys.executable)) if args.what == "labels" else duplicates(args.rows)
    )
    write_result("check", figures, seeds=[SEED], notes="Other work ran on the same two cores: times are upper limits.")


def labels(rival: str) -> dict[str, Any]:
    """Return precision and average precision for each set, kind and rate of wrong labels."""
    table: dict[str, Any] = {}
    for name in SETS:
        texts, truth, n_labels = read_set(name)
        vectors = load("en-base").embed(texts, normalize=True)
        for kind, rate in cases(n_labels):
            wrong, given = changed(truth, n_labels, vectors, kind=kind, rate=rate)
            row = measure(texts, given, wrong, n_labels, vectors, rival)
            table[f"{name} {kind} {rate}"] = {"set": name, "kind": kind, "rate": rate, "n": len(texts), **row}
            print(name, kind, rate, json.dumps(row), flush=True)
    return table


def cases(n_labels: int) -> Iterator[tuple[str, float]]:
    """Yield kinds and rates; with two labels the nearest is the only other one."""
    return ((kind, rate) for kind in KINDS for rate in RATES if n_labels > 2 or kind == "random")


def read_set(name: str) -> tuple[list[str], Ints, int]:
    """Return texts of the training set, and their labels as numbers."""
    folder = DATA / name
    path = next(path for path in (folder / "train.tsv", folder / "train.tsv.gz") if path.exists())
    examples = read_examples(path, text="text", label="label")
    chosen = np.sort(np.random.default_rng(SEED).permutation(len(examples))[:MOST])
    examples = [examples[i] for i in chosen]
    names = sorted({example.label for example in examples})
    numbers = {label: i for i, label in enumerate(names)}
    return [e.text for e in examples], np.array([numbers[e.label] for e in examples], dtype=np.int64), len(names)


def changed(
    truth: Ints, n_labels: int, vectors: NDArray[np.float32], *, kind: str, rate: float
) -> tuple[NDArray[np.bool_], Ints]:
    """Return which labels were changed, and all labels after that."""
    rng = np.random.default_rng([SEED, round(1000 * rate), KINDS.index(kind)])
    wrong = np.zeros(len(truth), dtype=np.bool_)
    wrong[rng.permutation(len(truth))[: round(rate * len(truth))]] = True
    others = (truth + rng.integers(1, n_labels, len(truth))) % n_labels
    if kind == "nearest":
        means = np.stack([vectors[truth == label].mean(axis=0) for label in range(n_labels)])
        means /= np.linalg.norm(means, axis=1, keepdims=True)
        likeness = means @ means.T
        np.fill_diagonal(likeness, -1.0)
        others = likeness.argmax(axis=1)[truth]
    return wrong, np.where(wrong, others, truth)


def measure(
    texts: list[str], given: Ints, wrong: NDArray[np.bool_], n_labels: int, vectors: NDArray[np.float32], rival: str
) -> dict[str, Any]:
    """Return the metrics of every method."""
    judgement = judge_out_of_fold(
        texts, given, n_labels, np.arange(len(texts)), with_curve=False, on_stage=lambda *_: None, vectors=vectors
    )
    confidence = confident_learning(judgement.probabilities, given)
    flagged = confidence.is_suspect
    listed = {
        "n": int(flagged.sum()),
        "precision": float(wrong[flagged].mean()) if flagged.any() else 0.0,
        "recall": float(flagged[wrong].mean()),
    }
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "in.npz", Path(folder) / "texts.json", Path(folder) / "out.npz"
        np.savez(files[0], given=given, probabilities=judgement.probabilities)
        files[1].write_text(json.dumps(texts), encoding="utf-8")
        script = Path(__file__).with_name("check_rival.py")
        subprocess.run([rival, str(script), *map(str, files)], check=True)
        ranks = dict(np.load(files[2]))
    methods = {"heedful": confidence.rank, **ranks}
    return {"listed": listed, "methods": {name: metrics(rank, wrong) for name, rank in methods.items()}}


def metrics(rank: NDArray[np.float64], wrong: NDArray[np.bool_]) -> dict[str, float]:
    """Return precision at the number of wrong labels, and average precision, of a rank (larger is worse)."""
    hits = wrong[np.argsort(-rank, kind="stable")]
    at = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return {"precision": float(hits[: wrong.sum()].mean()), "average": float((at * hits).sum() / wrong.sum())}


if __name__ == "__main__":
    main()
