"""The rows of the table of classifiers that have no transformer in them, and the list of all rows."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.classifier_row import Row
from benchmarks.classifier_transformers import TRANSFORMERS
from benchmarks.encoders import ENCODERS, teacher_folder
from benchmarks.probe import fitted, unit
from benchmarks.result import RESULTS
from benchmarks.rivals import Predict, fit_tfidf

CACHE = RESULTS.parents[1] / "tmp" / "classifiers"
SLICE = 5_000  # model2vec starts processes for more than 10,000 texts
LEARNER = ("sklearn.linear_model", "sklearn.model_selection", "sklearn.feature_extraction.text")


def train_tfidf(texts: list[str], labels: list[str], seed: int, folder: Path) -> float:
    """Words and pairs of words into logistic regression, C=10."""
    _dump(fit_tfidf(texts, labels, seed).__self__, folder)  # type: ignore[attr-defined]
    return 0.0


def load_tfidf(folder: Path) -> Predict:
    """Return the pipeline's answers."""
    return _loaded(folder).predict  # type: ignore[no-any-return]


def train_fasttext(texts: list[str], labels: list[str], seed: int, folder: Path) -> float:
    """Vectors of words, averaged, with the settings of `rivals`; fewer epochs for sets of more than 5,000 texts."""
    import fasttext  # type: ignore[import-not-found, unused-ignore]

    learned = folder / "texts.txt"
    with learned.open("w", encoding="utf-8") as file:
        file.writelines(f"__label__{label} {_in_line(text)}\n" for text, label in zip(texts, labels, strict=True))
    epochs = 100 if len(texts) <= SLICE else 25
    options = {"lr": 1.0, "epoch": epochs, "wordNgrams": 1, "dim": 100, "thread": 1, "seed": seed, "verbose": 0}
    fasttext.train_supervised(str(learned), **options).save_model(str(folder / "model.bin"))
    learned.unlink()
    return 0.0


def load_fasttext(folder: Path) -> Predict:
    """Return its answers: by model.f, because the wrapper's own predict does not work with NumPy 2."""
    import fasttext

    fasttext.FastText.eprint = lambda _: None  # each time it says that its class has another name now
    model = fasttext.load_model(str(folder / "model.bin"))
    return lambda texts: [model.f.predict(f"{_in_line(text)}\n", 1, 0.0, "strict")[0][1][9:] for text in texts]


def _in_line(text: str) -> str:
    return " ".join(text.lower().split())


def distil(_: list[str]) -> None:
    """Make the static model from MiniLM once; its seconds count for nobody, as those of MiniLM's own training."""
    CACHE.mkdir(parents=True, exist_ok=True)
    ENCODERS["model2vec"].make(CACHE)


def train_model2vec(texts: list[str], labels: list[str], _: int, folder: Path) -> float:
    """Static vectors into logistic regression, C by cross-validation."""
    _dump(fitted(_static(texts), labels).best_estimator_, folder)
    return 0.0


def load_model2vec(folder: Path) -> Predict:
    """Return its answers."""
    classifier = _loaded(folder)
    _static(["load"])
    return lambda texts: classifier.predict(unit(_static(texts)))


_STATIC: list[Any] = []


def _static(texts: Sequence[str]) -> Any:
    import numpy as np

    if not _STATIC:
        _STATIC.append(ENCODERS["model2vec"].load(CACHE, 1))
    slices = [list(texts[start : start + SLICE]) for start in range(0, len(texts), SLICE)]
    return np.concatenate([_STATIC[0](texts) for texts in slices])


def train_heedful(texts: list[str], labels: list[str], seed: int, folder: Path) -> float:
    """Train by the library with its defaults."""
    import heedful

    heedful.train((texts, labels), folder, seed=seed, threads=1, progress=False, overwrite=True)
    return 0.0


def train_taught(texts: list[str], labels: list[str], seed: int, folder: Path) -> float:
    """Tune MiniLM and train a model on its scores, with the defaults; what is kept on the way is removed."""
    import heedful

    kept = [folder.with_name(f"{folder.name}.{part}") for part in ("teacher", "teacher-scores")]
    for part in kept:
        shutil.rmtree(part, ignore_errors=True)
    teacher = str(teacher_folder())
    heedful.train((texts, labels), folder, teacher=teacher, seed=seed, threads=1, progress=False, overwrite=True)
    for part in kept:
        shutil.rmtree(part, ignore_errors=True)
    return 0.0


def load_heedful(folder: Path) -> Predict:
    """Return its answers."""
    import heedful

    model = heedful.load(folder, threads=1)
    assert isinstance(model, heedful.Classifier)
    return model.predict


def _dump(model: Any, folder: Path) -> None:
    import joblib

    joblib.dump(model, folder / "model.joblib")


def _loaded(folder: Path) -> Any:
    import joblib

    return joblib.load(folder / "model.joblib")


HEEDFUL = ("heedful", "torch", "onnx", "heedful.jobs.train.train", "heedful.runtime.model")
ROWS: dict[str, Row] = {
    "tfidf": Row("tf-idf + LR", train_tfidf, load_tfidf, "yes, by word", LEARNER, has_seed=False),
    "fasttext": Row("fastText", train_fasttext, load_fasttext, "no", ("fasttext",)),
    "model2vec": Row(
        "model2vec + LR",
        train_model2vec,
        load_model2vec,
        "no",
        (*LEARNER, "model2vec"),
        has_seed=False,
        prepare=distil,
        beside=lambda: ENCODERS["model2vec"].files(CACHE),
    ),
    **TRANSFORMERS,
    "heedful": Row("heedful", train_heedful, load_heedful, "yes, by word", HEEDFUL),
    "taught": Row("heedful, taught", train_taught, load_heedful, "yes, by word", HEEDFUL),
}


def offline() -> None:
    """Keep the libraries offline, quiet and at one thread; to be called before they are imported."""
    from benchmarks.encoders import set_up

    os.environ |= {"HF_DATASETS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "MKL_NUM_THREADS": "1"}
    set_up(1)
    import torch

    torch.set_num_threads(1)
