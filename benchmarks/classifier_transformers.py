"""The rows of the table of classifiers that have all-MiniLM-L6-v2 in them.

`minilm` is logistic regression on its vectors, which are made once and kept; `setfit` tunes it on pairs of texts;
`tuned` tunes it on the labels.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.classifier_row import SIZES, Row
from benchmarks.classifier_tuned import load_tuned, train_tuned
from benchmarks.encoders import teacher_folder
from benchmarks.languages import ALL
from benchmarks.probe import fitted, unit
from benchmarks.result import RESULTS
from benchmarks.rivals import Predict

VECTORS = RESULTS.parents[1] / "tmp" / "classifiers" / "minilm"
CHUNK = 1_000  # vectors are kept after each so many texts
PAIRED = 3_000  # texts that are paired by SetFit: 20 pairs of a text (its old default) up to 150 texts, then fewer


@cache
def minilm() -> Any:
    """Return all-MiniLM-L6-v2 by sentence-transformers."""
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(teacher_folder()), device="cpu")


def encode(texts: Sequence[str]) -> Any:
    """Return MiniLM's vectors (text, width)."""
    return minilm().encode(list(texts), batch_size=32, show_progress_bar=False)


class KeptVectors:
    """MiniLM's vectors of texts on disk, with the seconds that each took."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._rows: dict[str, tuple[Any, float]] = {}
        for path in sorted(folder.glob("*.npz")):
            self._read(path)

    def add(self, texts: Sequence[str]) -> None:
        """Make those that are missing."""
        new = sorted(set(texts) - self._rows.keys())
        for start in range(0, len(new), CHUNK):
            chunk = new[start : start + CHUNK]
            started = time.process_time()
            vectors = encode(chunk)
            each = (time.process_time() - started) / len(chunk)
            path = self._folder / f"{time.time_ns()}.npz"
            np.savez(path, texts=np.array(json.dumps(chunk)), vectors=vectors, seconds=np.array(each))
            self._read(path)
            print(f"  MiniLM: {min(start + CHUNK, len(new)):,} of {len(new):,} texts, {1 / each:.0f}/s", flush=True)

    def of(self, texts: Sequence[str]) -> Any:
        """Return vectors (text, width)."""
        self.add(texts)
        return np.stack([self._rows[text][0] for text in texts])

    def seconds(self, texts: Sequence[str]) -> float:
        """Return what the vectors took when they were made."""
        return sum(self._rows[text][1] for text in texts)

    def _read(self, path: Path) -> None:
        with np.load(path) as kept:
            seconds, vectors = float(kept["seconds"]), kept["vectors"]
            self._rows |= {
                text: (row, seconds) for text, row in zip(json.loads(str(kept["texts"])), vectors, strict=True)
            }


@cache
def kept() -> KeptVectors:
    """Return the vectors that were made so far."""
    return KeptVectors(VECTORS)


def train_minilm(texts: list[str], labels: list[str], _: int, folder: Path) -> float:
    """Vectors into logistic regression, C by cross-validation; returns the seconds of the vectors."""
    import joblib

    joblib.dump(fitted(kept().of(texts), labels).best_estimator_, folder / "model.joblib")
    return kept().seconds(texts)


def load_minilm(folder: Path) -> Predict:
    """Return its answers."""
    classifier = _head(folder)
    minilm()
    return lambda texts: classifier.predict(unit(encode(texts)))


def load_minilm_cached(folder: Path) -> Predict:
    """Return its answers by the vectors that are kept."""
    classifier = _head(folder)
    return lambda texts: classifier.predict(unit(kept().of(texts)))


def _head(folder: Path) -> Any:
    import joblib

    return joblib.load(folder / "model.joblib")


def pairs_of_a_text(n: int) -> int:
    """Return how many pairs of each kind SetFit makes of a text."""
    return max(1, min(20, round(PAIRED / n)))


def train_setfit(texts: list[str], labels: list[str], seed: int, folder: Path) -> float:
    """Tune MiniLM on pairs by SetFit, one epoch, batches of 16, then logistic regression."""
    from setfit import SetFitModel, Trainer, TrainingArguments

    from datasets import Dataset

    options = TrainingArguments(
        output_dir=str(folder / "steps"),
        batch_size=16,
        num_epochs=1,
        num_iterations=pairs_of_a_text(len(texts)),
        seed=seed,
        report_to="none",
        save_strategy="no",
        show_progress_bar=False,
    )
    model = SetFitModel.from_pretrained(str(teacher_folder()), labels=sorted(set(labels)))
    Trainer(model=model, args=options, train_dataset=Dataset.from_dict({"text": texts, "label": labels})).train()
    model.save_pretrained(str(folder / "model"))
    return 0.0


def load_setfit(folder: Path) -> Predict:
    """Return its answers."""
    from setfit import SetFitModel

    model = SetFitModel.from_pretrained(str(folder / "model"), local_files_only=True)
    return lambda texts: [str(label) for label in model.predict(texts, show_progress_bar=False)]


LEARNER = ("sklearn.linear_model", "sklearn.model_selection", "sentence_transformers")
TRANSFORMERS: dict[str, Row] = {
    "minilm": Row(
        "MiniLM + LR",
        train_minilm,
        load_minilm,
        "no",
        LEARNER,
        has_seed=False,
        prepare=lambda texts: kept().add(texts),
        load_cached=load_minilm_cached,
        beside=lambda: [teacher_folder()],
    ),
    "setfit": Row(
        "SetFit (MiniLM)", train_setfit, load_setfit, "no", (*LEARNER, "setfit", "datasets"), sizes=SIZES[:-1]
    ),
    "tuned": Row("MiniLM fine-tuned", train_tuned, load_tuned, "no", ("transformers", "torch"), sizes=(ALL,)),
}
