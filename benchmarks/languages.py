"""Every language: `heedful train` as it comes beside tf-idf and fastText, on 500, 2,000 and all texts.

    python -m benchmarks.languages                               # all cells; resumes where it was stopped
    python -m benchmarks.languages --sets nsmc --sizes 500 --rows heedful,characters --seeds 0

Every row sees the same texts. No training sees the dev split, but the design of the n-grams was chosen by it, so our
figures are somewhat optimistic. The rivals have fixed settings. Figures are accuracy and macro F1 in percent, and the
seconds of the processor, with one thread, from a list of texts to a model.
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

from benchmarks.embedding import say
from benchmarks.few_labels import sample
from benchmarks.probe import labels_of, texts_of
from benchmarks.result import DATA, RESULTS, read_result, write_result
from benchmarks.rivals import Fit, Predict, fit_fasttext, fit_tfidf
from heedful.data.example import Example
from heedful.data.read import read_examples

SEEDS = (0, 1, 2)
CACHE = RESULTS / "languages.cells.jsonl"
ALL, EIGHT = "all", "8 per label"
SIZES = ("500", "2000", ALL)
Cell = tuple[str, str, str, int]


@dataclass(frozen=True)
class Source:
    """A set of texts in one language, and the numbers of texts that are learned from."""

    name: str
    folder: str
    language: str
    sizes: tuple[str, ...] = SIZES

    def read(self, split: str) -> list[Example]:
        """Return the texts of a split."""
        path = DATA / self.folder / f"{split}.tsv"
        return read_examples(path if path.exists() else path.with_suffix(".tsv.gz"), label="label")


SETS = {
    "nsmc": Source("film reviews (NSMC)", "nsmc", "Korean"),
    "chnsenticorp": Source("hotel reviews (ChnSentiCorp)", "chnsenticorp", "Chinese"),
    "germeval18": Source("tweets (GermEval 2018)", "germeval18", "German"),
    "sst2": Source("SST-2", "sst2", "English"),
    "trec": Source("TREC", "trec", "English"),
    "banking77": Source("Banking77", "banking77", "English", (EIGHT, "2000", ALL)),
    "clinc150": Source("CLINC150", "clinc150", "English", (EIGHT, "2000", ALL)),
}


def fit_characters(texts: list[str], labels: list[str], _: int) -> Predict:
    """Character n-grams within words into logistic regression."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True)
    pipeline = make_pipeline(vectors, LogisticRegression(C=10, max_iter=2000))
    return pipeline.fit(texts, labels).predict  # type: ignore[no-any-return, unused-ignore]


def fit_subwords(texts: list[str], labels: list[str], seed: int) -> Predict:
    """FastText with sub-words of two to five characters."""
    return fit_fasttext(texts, labels, seed, minn=2, maxn=5)


def fit_heedful(texts: list[str], labels: list[str], seed: int) -> Predict:
    """Train by the library with its defaults."""
    import heedful

    with tempfile.TemporaryDirectory() as folder:
        model = heedful.train((texts, labels), Path(folder) / "model", seed=seed, threads=1, progress=False)
        assert isinstance(model, heedful.Classifier)
        return model.predict


ROWS: dict[str, tuple[str, Fit]] = {
    "heedful": ("heedful", fit_heedful),
    "characters": ("tf-idf, characters", fit_characters),
    "words": ("tf-idf, words", fit_tfidf),
    "fasttext": ("fastText", fit_fasttext),
    "subwords": ("fastText, sub-words", fit_subwords),
}


@dataclass(frozen=True)
class Measured:
    """One training."""

    accuracy: float
    macro_f1: float
    confidence: float | None
    seconds: float


def chosen(source: Source, size: str, seed: int) -> list[Example]:
    """Return the texts to learn from."""
    pool = source.read("train")
    if size == EIGHT:
        rng, by_label = np.random.default_rng(seed), dict[str, list[Example]]()
        for i in rng.permutation(len(pool)):
            by_label.setdefault(pool[i].label, []).append(pool[i])
        return [e for label in sorted(by_label) for e in by_label[label][:8]]
    return pool if size == ALL else sample(pool, min(int(size), len(pool)), seed=seed)


def measure(fit: Fit, train: list[Example], unseen: list[Example], seed: int) -> Measured:
    """Train once and measure."""
    from sklearn.metrics import f1_score

    started = time.process_time()
    predict = fit(texts_of(train), labels_of(train), seed)
    seconds = time.process_time() - started
    predicted, truth = [str(label) for label in predict(texts_of(unseen))], labels_of(unseen)
    accuracy = float(np.mean(np.asarray(predicted) == np.asarray(truth)))
    f1 = f1_score(truth, predicted, average="macro", labels=sorted(set(truth)), zero_division=0.0)
    return Measured(100 * accuracy, 100 * float(f1), _confidence(predict, unseen), seconds)


def _confidence(predict: Predict, unseen: list[Example]) -> float | None:
    """Return the mean probability of the predicted label, if the model is one of ours."""
    model = getattr(predict, "__self__", None)
    probabilities: Callable[[list[str]], Any] | None = getattr(model, "predict_proba", None)
    return None if probabilities is None else 100 * float(probabilities(texts_of(unseen)).max(axis=1).mean())


def cached() -> dict[Cell, Measured]:
    """Return the measurements of earlier runs."""
    rows = [json.loads(line) for line in CACHE.read_text().splitlines()] if CACHE.exists() else []
    return {(row.pop("set"), row.pop("size"), row.pop("row"), row.pop("seed")): Measured(**row) for row in rows}


def fill(cells: Sequence[Cell]) -> None:
    """Measure the cells that are missing."""
    for name, size, row, seed in cells:
        if (name, size, row, seed) in cached():
            continue
        source = SETS[name]
        measured = measure(ROWS[row][1], chosen(source, size, seed), source.read("dev"), seed)
        say(f"seed {seed}, {name} {size}, {row}: {measured}")
        with CACHE.open("a", encoding="utf-8") as file:
            cell = {"set": name, "size": size, "row": row, "seed": seed, **asdict(measured)}
            file.write(json.dumps(cell) + "\n")


def table() -> dict[str, Any]:
    """Return mean and spread over seeds, by set, size and row."""
    measured = cached()
    result: dict[str, Any] = (read_result("languages") or {}).get("table", {})  # cells of earlier runs stay
    for name, source in SETS.items():
        row_of_set = result.setdefault(name, {"name": source.name, "language": source.language, "sizes": {}})
        for size in source.sizes:
            by_row = row_of_set["sizes"].setdefault(size, {})
            for row in ROWS:
                if own := [each for (n, s, r, _), each in measured.items() if (n, s, r) == (name, size, row)]:
                    by_row[row] = _summary(own)
    return result


def _summary(own: Sequence[Measured]) -> dict[str, Any]:
    parts = {}
    for part in ("accuracy", "macro_f1", "confidence", "seconds"):
        values = [value for each in own if (value := getattr(each, part)) is not None]
        if values:
            parts[part] = {"mean": mean(values), "spread": stdev(values) if len(values) > 1 else None}
    return {**parts, "seeds": len(own)}


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--sizes", default=",".join((EIGHT, *SIZES)))
    parser.add_argument("--rows", default=",".join(ROWS))
    parser.add_argument("--seeds", default=",".join(map(str, SEEDS)))
    args = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    fill(
        [
            (name, size, row, int(seed))
            for seed in args.seeds.split(",")
            for name in args.sets.split(",")
            for size in args.sizes.split(",")
            if size in SETS[name].sizes
            for row in args.rows.split(",")
        ]
    )
    names = {key: name for key, (name, _) in ROWS.items()}
    write_result("languages", {"rows": names, "table": table()}, seeds=list(SEEDS))


if __name__ == "__main__":
    main()
