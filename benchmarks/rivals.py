"""heedful beside three usual ways to classify texts: accuracy with about 1,000 labels, time to train, size.

    python -m benchmarks.rivals                       # all cells, about 15 minutes; resumes where it was stopped
    python -m benchmarks.rivals --sets trec --seeds 0

Every row sees the same texts. Training is everything from a list of texts to a model in memory, imports and the loading
of an encoder left out, in seconds of the processor with one thread: other work on the machine hardly changes these.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np

from benchmarks.datasets import ag_news, sst2, trec
from benchmarks.embedding import say
from benchmarks.encoders import set_up, teacher_folder
from benchmarks.few_labels import sample
from benchmarks.installed import installed_bytes, path_bytes
from benchmarks.probe import fitted, labels_of, texts_of, unit
from benchmarks.result import DATA, RESULTS, read_result, write_result
from heedful.data.example import Example
from heedful.data.read import read_examples
from heedful.data.samples.customer_messages import messages_path

N_LABELS = 1_000
ALONE = 50  # texts that are answered one at a time
SEEDS = (0, 1, 2)
CACHE = RESULTS / "rivals.cells.jsonl"
Cell = tuple[str, str, int]
Predict = Callable[[list[str]], Sequence[str]]
Fit = Callable[[list[str], list[str], int], Predict]  # texts, labels and a seed


@dataclass(frozen=True)
class Rival:
    """A row: how it is trained, and what has to be installed to train and to run it."""

    name: str
    fit: Fit
    to_train: tuple[str, ...]
    to_run: tuple[str, ...]
    has_seed: bool = False
    files: Callable[[], list[Path]] = list  # what comes beside the packages


def messages() -> tuple[list[Example], list[Example]]:
    """Return the messages of the demo: those of messages.csv and of test.csv."""
    return read_examples(messages_path("train"), label="topic"), read_examples(messages_path("test"), label="topic")


def banking77() -> tuple[list[Example], list[Example]]:
    """Return questions to a bank, 77 labels."""
    return read_examples(DATA / "banking77/train.tsv"), read_examples(DATA / "banking77/dev.tsv")


def _public(read: Callable[[], Any]) -> Callable[[], tuple[list[Example], list[Example]]]:
    def both() -> tuple[list[Example], list[Example]]:
        texts = read()
        return texts.train, texts.dev

    return both


SETS: dict[str, Callable[[], tuple[list[Example], list[Example]]]] = {
    "messages": messages,
    "sst2": _public(sst2),
    "trec": _public(trec),
    "ag_news": _public(ag_news),
    "banking77": banking77,
}


def fit_heedful(texts: list[str], labels: list[str], seed: int) -> Predict:
    """Train by the library with its defaults."""
    import heedful

    with tempfile.TemporaryDirectory() as folder:
        model = heedful.train((texts, labels), Path(folder) / "model", seed=seed, threads=1, progress=False)
        assert isinstance(model, heedful.Classifier)
        return model.predict


def fit_tfidf(texts: list[str], labels: list[str], _: int) -> Predict:
    """Words and pairs of words into logistic regression, as in the accuracy table."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    vectors = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    pipeline = make_pipeline(vectors, LogisticRegression(C=10, max_iter=2000))
    return pipeline.fit(texts, labels).predict  # type: ignore[no-any-return, unused-ignore]


def fit_fasttext(texts: list[str], labels: list[str], seed: int, **more: int) -> Predict:
    """Vectors of words, averaged: of 17 settings the best on texts that are not measured on, and `more` options."""
    import fasttext  # type: ignore[import-not-found, unused-ignore]

    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.writelines(f"__label__{b} {_in_line(a)}\n" for a, b in zip(texts, labels, strict=True))
        file.flush()
        options = {"lr": 1.0, "epoch": 100, "wordNgrams": 1, "dim": 100, "thread": 1, "seed": seed, "verbose": 0}
        model = fasttext.train_supervised(file.name, **options | more)
    # model.f, because the wrapper's own predict does not work with NumPy 2
    return lambda unseen: [model.f.predict(f"{_in_line(a)}\n", 1, 0.0, "strict")[0][1][9:] for a in unseen]


def _in_line(text: str) -> str:
    return " ".join(text.lower().split())


def fit_minilm(texts: list[str], labels: list[str], _: int) -> Predict:
    """Vectors of all-MiniLM-L6-v2 by sentence-transformers into logistic regression, C by cross-validation."""
    encode = _minilm().encode
    classifier = fitted(encode(texts, show_progress_bar=False), labels)
    return lambda unseen: classifier.predict(unit(encode(unseen, show_progress_bar=False)))


_LOADED: list[Any] = []


def _minilm() -> Any:
    if not _LOADED:
        from sentence_transformers import SentenceTransformer

        _LOADED.append(SentenceTransformer(str(teacher_folder()), device="cpu"))
    return _LOADED[0]


MINILM = ("sentence-transformers", "scikit-learn")
RIVALS = {
    "minilm": Rival("MiniLM + logistic regression", fit_minilm, MINILM, MINILM, files=lambda: [teacher_folder()]),
    "heedful": Rival("heedful", fit_heedful, ("heedful", "torch", "onnx", "tomli-w"), ("heedful",), has_seed=True),
    "tfidf": Rival("tf-idf + logistic regression", fit_tfidf, ("scikit-learn",), ("scikit-learn",)),
    "fasttext": Rival("fastText", fit_fasttext, ("fasttext-wheel",), ("fasttext-wheel",), has_seed=True),
}


@dataclass(frozen=True)
class Measured:
    """One training: accuracy in percent, seconds to train, milliseconds to answer a text that comes alone."""

    accuracy: float
    seconds: float
    one_ms: float


def measure(rival: Rival, train: list[Example], unseen: list[Example], seed: int) -> Measured:
    """Train once and measure."""
    started = time.process_time()
    predict = rival.fit(texts_of(train), labels_of(train), seed)
    seconds = time.process_time() - started
    texts = texts_of(unseen)
    predicted = [str(label) for label in predict(texts)]
    started = time.process_time()
    for text in texts[:ALONE]:
        predict([text])
    one_ms = 1000 * (time.process_time() - started) / len(texts[:ALONE])
    return Measured(100 * float(np.mean(np.asarray(predicted) == np.asarray(labels_of(unseen)))), seconds, one_ms)


def is_sampled(name: str) -> bool:
    """Whether a set has many more labels than are used."""
    return name != "messages"


def cached() -> dict[Cell, Measured]:
    """Return the measurements of earlier runs."""
    rows = [json.loads(line) for line in CACHE.read_text().splitlines()] if CACHE.exists() else []
    return {(row.pop("set"), row.pop("rival"), row.pop("seed")): Measured(**row) for row in rows}


def fill(names: Sequence[str], seeds: Sequence[int], keys: Sequence[str]) -> None:
    """Measure the cells that are missing, those of the first seed first."""
    warm: set[str] = set()
    for seed, name, key in ((s, n, k) for s in seeds for n in names for k in keys):
        if (name, key, seed) in cached() or (seed != seeds[0] and not (is_sampled(name) or RIVALS[key].has_seed)):
            continue
        pool, unseen = SETS[name]()
        if key not in warm:  # a first training, which imports, is thrown away
            measure(RIVALS[key], sample(pool, 100, seed=0), unseen[:10], 0)
            warm.add(key)
        train = sample(pool, N_LABELS, seed=seed) if is_sampled(name) else pool
        measured = measure(RIVALS[key], train, unseen, seed)
        say(f"seed {seed}, {name}, {key}: {measured}")
        with CACHE.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"set": name, "rival": key, "seed": seed, **asdict(measured)}) + "\n")


def row(key: str, names: Sequence[str], seeds: Sequence[int]) -> dict[str, Any]:
    """Return the measurements of a row: by set, and the means over sets."""
    rival = RIVALS[key]
    own = {(name, seed): measured for (name, k, seed), measured in cached().items() if k == key and seed in seeds}
    by_set = {name: _summary([measured for (n, _), measured in own.items() if n == name]) for name in names}
    means = {part: mean(cell[part] for cell in by_set.values()) for part in ("mean", "seconds", "one_ms")}
    beside = sum(path_bytes(path) for path in rival.files())
    sizes = {"train_mb": rival.to_train, "run_mb": rival.to_run}
    megabytes = {name: (installed_bytes(packages) + beside) / 1e6 for name, packages in sizes.items()}
    return {"name": rival.name, "sets": by_set, **means, **megabytes}


def _summary(cells: Sequence[Measured]) -> dict[str, Any]:
    values = [cell.accuracy for cell in cells]
    return {
        "mean": mean(values),
        "spread": stdev(values) if len(values) > 1 else None,
        "values": values,
        "seconds": mean(cell.seconds for cell in cells),
        "one_ms": mean(cell.one_ms for cell in cells),
    }


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--seeds", default=",".join(map(str, SEEDS)))
    parser.add_argument("--rows", default=",".join(RIVALS), help="the others stay as they were measured last")
    args = parser.parse_args()
    set_up(1)
    import torch

    torch.set_num_threads(1)
    names, seeds = args.sets.split(","), [int(seed) for seed in args.seeds.split(",")]
    keys = args.rows.split(",")
    fill(names, seeds, keys)
    rows = (read_result("rivals") or {}).get("rows", {}) | {key: row(key, names, seeds) for key in keys}
    write_result("rivals", {"labels": N_LABELS, "messages": len(messages()[0]), "rows": rows}, seeds=seeds)


if __name__ == "__main__":
    main()
