"""The five text sets of the accuracy table, read from ../shared/data."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from benchmarks.result import DATA
from heedful.data.example import Example
from heedful.data.read import read_examples

CARVE = 20170309  # the seed of all splits that we make


@dataclass(frozen=True)
class TextSet:
    """Texts to learn from and to measure on, and how many epochs a neural model gets."""

    name: str
    train: list[Example]
    dev: list[Example]
    epochs: int


def sst2() -> TextSet:
    """Sentiment of film reviews' sentences."""
    return TextSet("SST-2", read_examples(DATA / "sst2/train.tsv"), read_examples(DATA / "sst2/dev.tsv"), 6)


def trec() -> TextSet:
    """Types of questions."""
    return TextSet("TREC", read_examples(DATA / "trec/train.tsv"), read_examples(DATA / "trec/dev.tsv"), 12)


def subj() -> TextSet:
    """Subjective or objective; 1,000 of the 10,000 are carved off as dev."""
    rows = read_examples(DATA / "subj/all.tsv.gz")
    random.Random(CARVE).shuffle(rows)
    return TextSet("SUBJ", rows[1000:], rows[:1000], 5)


def ag_news() -> TextSet:
    """Topics of news."""
    return TextSet("AG News", read_examples(DATA / "ag_news/train.tsv.gz"), read_examples(DATA / "ag_news/dev.tsv"), 2)


def imdb() -> TextSet:
    """Film reviews, their first 200 words: 5,000 to learn from and 2,000 as dev, both from the training split."""
    rows = read_examples(DATA / "imdb/train.tsv.gz", label="label")
    random.Random(CARVE).shuffle(rows)
    rows = [replace(e, text=" ".join(e.text.split()[:200])) for e in rows[:7000]]
    return TextSet("IMDB", rows[2000:], rows[:2000], 6)


SETS: dict[str, Callable[[], TextSet]] = {"sst2": sst2, "trec": trec, "subj": subj, "ag_news": ag_news, "imdb": imdb}
