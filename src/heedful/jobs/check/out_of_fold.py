"""Scores of each text by a regression that has not seen it, with the weights that they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from heedful.training.start.fits import OnFit, ignore_fit
from heedful.training.start.linear_probe import best_temperature
from heedful.training.start.ngrams.wide_fit import Regression, Strengths, Texts, fit

FOLDS = 5
PARTS = (0.125, 0.25, 0.5)  # of the texts, for a learning curve
FEWEST_EACH = 4  # texts for each label in the smallest part
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class FoldWeights:
    """The regression that one fold was answered by, as arrays."""

    scale: Floats  # (n-gram,)
    ngrams: Floats  # (n-gram, label)
    vectors: Floats | None  # (width, label)
    bias: Floats  # (label,)


@dataclass(frozen=True)
class OutOfFold:
    """Scores (text, label) of held-out texts, the fold of each, and the weights of each fold."""

    scores: Floats
    folds: Ints
    weights: tuple[FoldWeights, ...]


@dataclass(frozen=True)
class PartAccuracy:
    """How many texts a regression learned from, and its accuracy on held-out ones."""

    n: int
    accuracy: float
    n_held: int


def grouped_folds(truth: Ints, groups: Ints, *, n_folds: int = FOLDS, seed: int = 0) -> Ints:
    """Return a fold for each text. Texts of a group share a fold; the groups of each label are divided evenly."""
    _, firsts, inverse = np.unique(groups, return_index=True, return_inverse=True)
    order = np.random.default_rng([seed, 0x0F01D]).permutation(len(firsts))
    labels = truth[firsts][order]
    folds = np.zeros(len(firsts), dtype=np.int64)
    for label in np.unique(labels):
        own = order[labels == label]
        folds[own] = (np.arange(len(own)) + label) % n_folds
    return np.asarray(folds[inverse.reshape(-1)], dtype=np.int64)


def fit_out_of_fold(texts: Texts, strengths: Strengths, folds: Ints, *, on_fit: OnFit = ignore_fit) -> OutOfFold:
    """Fit all texts but those of each fold, and answer these. Scores have the temperature that suits them best."""
    scores = torch.zeros(len(texts), texts.n_classes)
    fitted: list[Regression] = []
    n_folds = int(folds.max()) + 1
    for fold in range(n_folds):
        out = folds == fold
        fitted.append(fit(texts.at(~out), strengths))
        scores[torch.from_numpy(out)] = fitted[-1].scores(texts.at(out))
        on_fit(fold + 1, n_folds)
    temperature = best_temperature(scores, texts.truth)
    weights = tuple(_arrays(each.divided(temperature)) for each in fitted)
    return OutOfFold((scores / temperature).numpy(), folds, weights)


def _arrays(regression: Regression) -> FoldWeights:
    vectors = None if regression.vector_weight is None else regression.vector_weight.numpy()
    return FoldWeights(regression.scale, regression.weight.numpy(), vectors, regression.bias.numpy())


def fit_parts(
    texts: Texts, strengths: Strengths, folds: Ints, *, n_folds: int = 3, seed: int = 0, on_fit: OnFit = ignore_fit
) -> list[PartAccuracy]:
    """Fit parts of the texts outside of a few folds, and measure each on the texts of the fold."""
    measured = []
    shares = [share for share in PARTS if share * len(texts) >= FEWEST_EACH * texts.n_classes]
    for i, share in enumerate(shares):
        for fold in range(n_folds):
            out = folds == fold
            chosen = _part(np.flatnonzero(~out), share, [seed, fold, i])
            kept = np.zeros(len(texts), dtype=np.bool_)
            kept[chosen] = True
            answers = fit(texts.at(kept), strengths).scores(texts.at(out)).argmax(dim=1).numpy()
            measured.append(PartAccuracy(len(chosen), float((answers == texts.truth[out]).mean()), int(out.sum())))
            on_fit(i * n_folds + fold + 1, len(shares) * n_folds)
    return measured


def _part(rows: Ints, share: float, seed: Sequence[int]) -> Ints:
    return np.random.default_rng([*seed, 0x9A27]).permutation(rows)[: max(1, round(share * len(rows)))]


def whole_parts(oof: OutOfFold, truth: Ints) -> list[PartAccuracy]:
    """Return the accuracy on each fold, by the fit on all other texts."""
    right = oof.scores.argmax(axis=1) == truth
    folds = range(int(oof.folds.max()) + 1)
    return [
        PartAccuracy(
            int((oof.folds != fold).sum()), float(right[oof.folds == fold].mean()), int((oof.folds == fold).sum())
        )
        for fold in folds
        if (oof.folds == fold).any()
    ]
