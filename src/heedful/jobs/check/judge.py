"""The probability of each label for rows that the judging model has not learned from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from heedful.errors import check_installed
from heedful.explain.check.learning_curve import LearningCurve, learning_curve
from heedful.inputs.text.known_ngrams import KnownNGrams
from heedful.jobs.check.word_sums import FoldSums, ModelSums, RowSum
from heedful.runtime.model import Model, load
from heedful.runtime.softmax import softmax
from heedful.store.training_rows import TrainedOn
from heedful.tasks.embed.model import Encoder
from heedful.text.language import looks_english

ENGLISH = "en-base"
MOST_NGRAMS, MOST_WEIGHTS = 100_000, 8_000_000  # n-grams; n-grams × labels
# Strengths of n-grams and vectors, and of n-grams alone: weaker than the best for accuracy, which learns wrong labels.
WEAK, WEAK_ALONE = (2.0, 2.0), 3.0
CHUNK = 1_024  # texts between reports
SEEN = 0.01  # share of the rows that a model may have been trained on and still judge them
OnStage = Callable[[str, int, int], None]


class Sums(Protocol):
    """Scores as sums over words."""

    def of(self, row: int, labels: Sequence[int]) -> RowSum | None:
        """Return what each word of a row adds to the scores of some labels."""


@dataclass(frozen=True)
class Judgement:
    """Probabilities (row, label), how they were made, and the words behind them."""

    name: str
    probabilities: NDArray[np.float64]
    sums: Sums
    curve: LearningCurve | None = None


def judge_out_of_fold(
    texts: Sequence[str],
    truth: NDArray[np.int64],
    n_labels: int,
    groups: NDArray[np.int64],
    *,
    with_curve: bool = True,
    seed: int = 0,
    on_stage: OnStage,
    vectors: NDArray[np.float32] | None = None,
) -> Judgement:
    """Judge each row by logistic regression on all others: n-grams, and for English the vectors of the encoder.

    `vectors` are those of the encoder, if they are known.
    """
    check_installed("torch", feature="Judging labels", extra="train")
    from heedful.jobs.check.out_of_fold import fit_out_of_fold, fit_parts, grouped_folds, whole_parts
    from heedful.training.start.fits import threads_for_work
    from heedful.training.start.ngrams.ngram_counts import NGramCounts
    from heedful.training.start.ngrams.wide_fit import Strengths, Texts

    encoder = cast("Encoder", load(ENGLISH)) if looks_english(texts) else None
    if encoder is not None and vectors is None:
        vectors = _vectors(encoder, texts, on_stage)
    known = KnownNGrams.learned(texts, most=min(MOST_NGRAMS, max(1, MOST_WEIGHTS // n_labels)), fewest=2)
    counts = NGramCounts(known.arrays_of(texts), len(known) + 1)
    data = Texts(counts, truth, n_labels, vectors if encoder is not None else None)
    strengths = Strengths("ratio", *WEAK) if encoder is not None else Strengths("ratio", WEAK_ALONE)
    folds = grouped_folds(truth, groups, seed=seed)
    with threads_for_work(len(texts) * n_labels * 384):
        oof = fit_out_of_fold(data, strengths, folds, on_fit=lambda done, of: on_stage("judging labels", done, of))
        curve = None
        if with_curve:
            parts = fit_parts(data, strengths, folds, seed=seed, on_fit=lambda d, of: on_stage("learning curve", d, of))
            parts += whole_parts(oof, truth)
            curve = learning_curve(
                [p.n for p in parts], [p.accuracy for p in parts], [p.n_held for p in parts], seed=seed
            )
    name = "n-grams" if encoder is None else f"{ENGLISH} and n-grams"
    probabilities = softmax(oof.scores.astype(np.float64))
    sums = FoldSums(texts, encoder, known, oof.folds, oof.weights)
    return Judgement(f"logistic regression on {name}, each row by a fit without it", probabilities, sums, curve)


def _vectors(encoder: Encoder, texts: Sequence[str], on_stage: OnStage) -> NDArray[np.float32]:
    """Return vectors of length 1."""
    vectors = np.zeros((len(texts), encoder.width), dtype=np.float32)
    for start in range(0, len(texts), CHUNK):
        vectors[start : start + CHUNK] = encoder.embed(texts[start : start + CHUNK], normalize=True)
        on_stage("reading sample", min(start + CHUNK, len(texts)), len(texts))
    return vectors


def has_seen(model: Model, texts: Sequence[str]) -> bool:
    """Return whether a model was trained on a good part of these texts, as far as its folder tells."""
    if model.facts.trained_on is None:
        return False
    overlap = TrainedOn.from_dict(model.facts.trained_on).overlap(texts)
    return overlap.seen > SEEN * max(1, overlap.rows)


def judge_by_model(model: Model, texts: Sequence[str], labels: Sequence[str], *, on_stage: OnStage) -> Judgement:
    """Judge each row by a model that has not been trained on it; the labels are those that it knows."""
    probabilities = np.zeros((len(texts), len(labels)))
    columns = [model.labels.index(label) for label in labels]
    predict = getattr(model, "predict_proba")  # noqa: B009  of classifiers, which the caller has checked
    for start in range(0, len(texts), CHUNK):
        some = slice(start, start + CHUNK)
        probabilities[some] = np.asarray(predict(list(texts[some])))[:, columns]
        on_stage("judging labels", min(start + CHUNK, len(texts)), len(texts))
    return Judgement(f"the model {model.path.name}", probabilities, ModelSums(model, texts, columns))
