"""Choosing how a wide part is fitted, by cross-validation.

A trial needs only the inner products of texts. Those of n-grams are computed once for each fold and scale; then a trial
takes the time of a regression on a few hundred vectors, whatever the number of n-grams and labels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.training.start.fits import OnFit, ignore_fit
from heedful.training.start.linear_probe import best_temperature
from heedful.training.start.ngrams.ngram_counts import IDF, RATIO
from heedful.training.start.ngrams.wide_fit import Strengths, Texts, minimise

MOST_TEXTS = 1_500  # by which strengths are chosen
# Where the search for the best strengths starts, and the values that it tries in turn.
FIRST = Strengths(RATIO, 10.0, 10.0)
# Each tuple of values is a direction, left at the first value that is no better.
STEPS: dict[str, tuple[tuple[Any, ...], ...]] = {
    "vectors": ((3.0, 1.0, 0.3), (30.0, 100.0)),
    "fewest": ((1,),),
    "scale": ((IDF,),),
    "ngrams": ((3.0,), (30.0,)),
}
NGRAM_STEPS = ("fewest", "scale", "ngrams")
JITTERS = (
    1e-5,
    1e-4,
    1e-3,
    1e-2,
)  # of the mean of a kernel's diagonal: equal texts and rounding leave it without a root


@dataclass(frozen=True)
class Trial:
    """Strengths, and how good they are on held-out texts."""

    strengths: Strengths
    loss: float  # cross-entropy at the best temperature
    accuracy: float
    macro_f1: float


class Trials:
    """Cross-validation on a sample of texts."""

    def __init__(self, texts: Texts, *, seed: int = 0) -> None:
        self.texts = texts.sample(MOST_TEXTS, seed)
        self._folds = list(self.texts.folds(seed))
        self._ngram_products = cache(self._ngram_products_of)
        vectors = self.texts.vectors
        self._vectors = None if vectors is None else torch.from_numpy(vectors).double()

    def choose(
        self, *, ngrams: bool = True, vectors: bool = True, fewest: int | None = None, on_fit: OnFit = ignore_fit
    ) -> Trial:
        """Return the trial with the least loss; one strength is chosen after the other.

        `fewest` fixes the number of texts that an n-gram must occur in.
        """
        vectors = vectors and self._vectors is not None
        first = replace(
            FIRST,
            ngrams=FIRST.ngrams if ngrams else 0.0,
            vectors=FIRST.vectors if vectors else 0.0,
            fewest=fewest or FIRST.fewest,
        )
        is_open = dict.fromkeys(NGRAM_STEPS, ngrams) | {"vectors": vectors}
        is_open["fewest"] &= fewest is None
        steps = {name: directions for name, directions in STEPS.items() if is_open[name]}
        n_trials, done = 1 + sum(len(values) for directions in steps.values() for values in directions), 1
        best = self.run(first)
        on_fit(done, n_trials)
        for name, directions in steps.items():
            start = best.strengths
            for values in directions:
                for value in values:
                    trial = self.run(replace(start, **{name: value}))
                    is_better = trial.loss < best.loss
                    best = trial if is_better else best
                    if not is_better:
                        break
                done += len(values)
                on_fit(done, n_trials)
        return best

    def run(self, strengths: Strengths) -> Trial:
        """Fit all texts but those of each fold, and measure these."""
        scores = torch.zeros(len(self.texts), self.texts.n_classes)
        for fold, out in enumerate(self._folds):
            scores[torch.from_numpy(out)] = self._held_out(strengths, fold, out)
        truth = torch.from_numpy(self.texts.truth)
        loss = torch.nn.functional.cross_entropy(scores / best_temperature(scores, self.texts.truth), truth)
        answers = scores.argmax(dim=1)
        return Trial(strengths, float(loss), float((answers == truth).float().mean()), _macro_f1(answers, truth))

    def _held_out(self, strengths: Strengths, fold: int, out: NDArray[np.bool_]) -> Tensor:
        """Return the scores (text, class) of the texts of a fold."""
        kept, held = (torch.from_numpy(rows.nonzero()[0]) for rows in (~out, out))
        products = torch.zeros(len(self.texts), len(kept), dtype=torch.float64)  # the kernel
        if strengths.ngrams > 0:
            products += strengths.ngrams * self._ngram_products(fold, strengths.scale, strengths.fewest)
        if strengths.vectors > 0 and self._vectors is not None:
            products += strengths.vectors * (self._vectors @ self._vectors[kept].T)
        root = _root(products[kept])
        targets = self.texts.at(~out).targets()
        _, weight, bias = minimise(targets, None, root.float(), strengths=(0.0, 1.0))
        coefficients = torch.linalg.solve_triangular(root.T, weight.double(), upper=True)
        scores: Tensor = (products[held] @ coefficients).float() + bias
        return scores

    def _ngram_products_of(self, fold: int, scale: str, fewest: int) -> Tensor:
        """Return the products (text, kept text) of the rows of n-grams, scaled by the kept texts of a fold."""
        out, texts = self._folds[fold], self.texts
        kept = texts.at(~out)
        factors = kept.counts.scale_of(kept.truth, kept.n_classes, scale, fewest=fewest)
        return texts.counts.products(kept.counts, factors).double()


def _root(kernel: Tensor) -> Tensor:
    """Return the lower root L of a kernel, LLᵀ, with as little added to its diagonal as will do."""
    identity = torch.eye(len(kernel), dtype=kernel.dtype)
    size = max(float(kernel.diagonal().mean()), 1e-9)
    root: Tensor = size**0.5 * identity
    for jitter in JITTERS:
        factor, fault = torch.linalg.cholesky_ex(kernel + jitter * size * identity)
        if not fault:
            return cast("Tensor", factor)
    return root  # never seen: no text tells anything of another


def _macro_f1(answers: Tensor, truth: Tensor) -> float:
    """Return the mean F1 of the labels that occur."""
    f1 = []
    for label in range(int(truth.max()) + 1):
        is_answer, is_true = answers == label, truth == label
        if is_true.any():
            f1.append(2 * float((is_answer & is_true).sum()) / float(is_answer.sum() + is_true.sum()))
    return sum(f1) / max(1, len(f1))
