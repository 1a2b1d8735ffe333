"""What vectors are worth: likeness of pairs against people's scores, and a linear classifier on top."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.encoders import Encode, Vectors
from benchmarks.result import DATA
from heedful.data.example import Example
from heedful.data.read import read_examples, read_rows

MAX_TRAIN, HELD_OUT = 5_000, 2_000
STRENGTHS = (1, 10, 100)  # of C, chosen by 3-fold cross-validation on the training texts


@dataclass(frozen=True)
class Pairs:
    """Pairs of sentences with how alike people found them."""

    first: list[str]
    second: list[str]
    scores: NDArray[np.float64]


@dataclass(frozen=True)
class ProbeSet:
    """Labelled texts to learn from and to measure on."""

    train: list[Example]
    dev: list[Example]


def read_pairs(path: Path, *, first: str, second: str, score: str, limit: int | None = None) -> Pairs:
    """Read a file of scored pairs."""
    rows = [row.values for row in read_rows(path)][:limit]
    scores = np.array([float(row[score]) for row in rows])
    return Pairs([row[first] for row in rows], [row[second] for row in rows], scores)


def read_similarity(*, quick: bool = False) -> dict[str, Pairs]:
    """Return STS-B dev and SICK-R test."""
    limit = 200 if quick else None
    return {
        "stsb": read_pairs(DATA / "stsb/dev.tsv", first="sentence1", second="sentence2", score="score", limit=limit),
        "sick": read_pairs(
            DATA / "sick/test.tsv", first="sentence_a", second="sentence_b", score="relatedness", limit=limit
        ),
    }


def read_probe_sets(*, quick: bool = False) -> dict[str, ProbeSet]:
    """Return the five sets; SUBJ and MR have no split, and are given one here."""
    subj, mr = (_shuffled(read_examples(DATA / f"{name}/all.tsv.gz")) for name in ("subj", "mr"))
    sets = {
        "sst2": _given("sst2/train.tsv", "sst2/dev.tsv"),
        "trec": _given("trec/train.tsv", "trec/dev.tsv"),
        "subj": ProbeSet(subj[:MAX_TRAIN], subj[MAX_TRAIN:][:HELD_OUT]),
        "mr": ProbeSet(mr[:MAX_TRAIN], mr[MAX_TRAIN:][:HELD_OUT]),
        "ag_news": _given("ag_news/train.tsv.gz", "ag_news/dev.tsv"),
    }
    return {name: ProbeSet(s.train[:300], s.dev[:200]) for name, s in sets.items()} if quick else sets


def _given(train: str, dev: str) -> ProbeSet:
    return ProbeSet(_shuffled(read_examples(DATA / train))[:MAX_TRAIN], read_examples(DATA / dev))


def _shuffled(examples: Sequence[Example]) -> list[Example]:
    return [examples[i] for i in np.random.default_rng(0).permutation(len(examples))]


def texts_of(examples: Sequence[Example]) -> list[str]:
    """Return the texts alone."""
    return [e.text for e in examples]


def labels_of(examples: Sequence[Example]) -> list[str]:
    """Return the labels alone."""
    return [e.label for e in examples]


def unit(vectors: Vectors) -> Vectors:
    """Return the vectors at length 1; a zero vector stays."""
    from sklearn.preprocessing import normalize

    return normalize(vectors if hasattr(vectors, "tocsr") else np.asarray(vectors, dtype=np.float32))


def pair_vectors(encode: Encode, pairs: Pairs) -> tuple[Vectors, Vectors]:
    """Return the vectors of both sides."""
    return encode(pairs.first), encode(pairs.second)


def rank_agreement(sides: tuple[Vectors, Vectors], scores: NDArray[np.float64], *, width: int | None = None) -> float:
    """Return Spearman's correlation of the cosines with the scores, for the first `width` numbers."""
    from scipy.stats import spearmanr

    first, second = (unit(side if width is None else side[:, :width]) for side in sides)
    product = first.multiply(second) if hasattr(first, "multiply") else first * second
    cosines = np.asarray(product.sum(axis=1)).ravel()
    return float(spearmanr(cosines, scores).statistic)


def linear_probe(train: Vectors, labels: Sequence[str], dev: Vectors, dev_labels: Sequence[str]) -> float:
    """Return the accuracy of logistic regression on vectors of length 1."""
    found = fitted(train, labels).predict(unit(dev))
    return float(np.mean(np.asarray(found) == np.asarray(dev_labels)))


def fitted(train: Vectors, labels: Sequence[str]) -> Any:
    """Return a logistic regression with the C that cross-validation chose."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV

    search = GridSearchCV(LogisticRegression(max_iter=1000), {"C": list(STRENGTHS)}, cv=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # stopped at max_iter, it is judged like any other
        return search.fit(unit(train), list(labels))


def tfidf_vectors(train: Sequence[str], texts: Sequence[str]) -> tuple[Vectors, Vectors]:
    """Return words and pairs of words, weighted by the training texts, of both."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectoriser = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    return vectoriser.fit_transform(list(train)), vectoriser.transform(list(texts))
