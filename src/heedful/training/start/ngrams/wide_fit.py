"""Fitting the wide part: logistic regression on n-grams, alone or together with vectors, chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.training.start.linear_probe import best_temperature
from heedful.training.start.ngrams.ngram_counts import NGramCounts, SparseMatrix

FOLDS = 3
STEPS = 60  # of L-BFGS
Floats = NDArray[np.float32]
Truth = NDArray[np.int64]


@dataclass(frozen=True)
class Strengths:
    """How a regression is fitted. Strengths are inverses of the weight decay, as scikit-learn's C; 0: left out."""

    scale: str  # of the n-grams
    ngrams: float
    vectors: float = 0.0
    fewest: int = 2  # texts with an n-gram: those of fewer texts are left out


@dataclass(frozen=True)
class Texts:
    """Texts as n-grams and vectors, with their labels."""

    counts: NGramCounts
    truth: Truth
    n_classes: int
    vectors: Floats | None = None  # (text, width)
    class_weights: Tensor | None = None

    def __len__(self) -> int:
        return len(self.truth)

    def at(self, rows: NDArray[np.bool_]) -> Texts:
        """Return some of the texts."""
        vectors = None if self.vectors is None else self.vectors[rows]
        return replace(self, counts=self.counts.at(rows), truth=self.truth[rows], vectors=vectors)

    def targets(self) -> Tensor:
        """Return (text, class): the weight of each text at its label, 0 elsewhere."""
        truth = torch.from_numpy(self.truth)
        targets = torch.nn.functional.one_hot(truth, self.n_classes).float()
        if self.class_weights is None:
            return targets
        weights = self.class_weights[truth]
        return targets * (weights / weights.mean())[:, None]

    def sample(self, most: int, seed: int) -> Texts:
        """Return at most so many of the texts."""
        if len(self) <= most:
            return self
        chosen = np.zeros(len(self), dtype=np.bool_)
        chosen[np.random.default_rng([seed, 0x51DE]).permutation(len(self))[:most]] = True
        return self.at(chosen)

    def folds(self, seed: int) -> Iterator[NDArray[np.bool_]]:
        """Yield which texts are held out, for each fold. The texts of each label are divided evenly."""
        order = np.random.default_rng([seed, 0xF01D5]).permutation(len(self))
        folds = np.zeros(len(self), dtype=np.int64)
        for label in range(self.n_classes):
            own = order[self.truth[order] == label]
            folds[own] = (np.arange(len(own)) + label) % FOLDS
        return (folds == fold for fold in range(FOLDS))


@dataclass(frozen=True)
class Regression:
    """Weights of n-grams and vectors."""

    scale: Floats  # (n-gram,)
    weight: Tensor  # (n-gram, class)
    vector_weight: Tensor | None  # (width, class)
    bias: Tensor  # (class,)

    def scores(self, texts: Texts) -> Tensor:
        """Return the scores (text, class)."""
        scores = texts.counts.scaled(self.scale).times(self.weight) + self.bias
        if self.vector_weight is not None:
            assert texts.vectors is not None
            scores = scores + torch.from_numpy(texts.vectors) @ self.vector_weight
        return scores

    def divided(self, temperature: float) -> Regression:
        """Return the regression with scores that are divided by a number."""
        vector_weight = None if self.vector_weight is None else self.vector_weight / temperature
        return Regression(self.scale, self.weight / temperature, vector_weight, self.bias / temperature)


@dataclass(frozen=True)
class WideFit:
    """A regression on all texts, and how far its score of each text is from that of a fit without the text."""

    regression: Regression
    corrections: Tensor  # (text, class): held-out scores less scores


def _held_out(strengths: Strengths, texts: Texts, seed: int) -> Tensor:
    """Return the scores (text, class) of each text by a fit without its fold."""
    scores = torch.zeros(len(texts), texts.n_classes)
    for out in texts.folds(seed):
        scores[torch.from_numpy(out)] = fit(texts.at(~out), strengths).scores(texts.at(out))
    return scores


def fit_wide(texts: Texts, strengths: Strengths, *, seed: int = 0, calibrates: bool = True) -> WideFit:
    """Fit all texts, and all but each fold; scores are divided by the temperature that suits held-out texts.

    Without `calibrates` they stay as they are: vectors that know the labels make held-out texts look too easy.
    """
    held_out = _held_out(strengths, texts, seed)
    temperature = best_temperature(held_out, texts.truth) if calibrates else 1.0
    regression = fit(texts, strengths).divided(temperature)
    return WideFit(regression, held_out / temperature - regression.scores(texts))


def fit(texts: Texts, strengths: Strengths) -> Regression:
    """Minimise cross-entropy + Σ ‖W‖² / (2 · strength · n) over the parts with L-BFGS; the problem is convex."""
    scale = texts.counts.scale_of(texts.truth, texts.n_classes, strengths.scale, fewest=strengths.fewest)
    if strengths.ngrams <= 0:
        scale = np.zeros_like(scale)
    used = scale.nonzero()[0]
    places = np.zeros(len(scale), dtype=np.int64)
    places[used] = np.arange(len(used))
    matrix, vectors = texts.counts.scaled(scale, places), texts.vectors if strengths.vectors > 0 else None
    part, vector_weight, bias = minimise(
        texts.targets(),
        matrix,
        None if vectors is None else torch.from_numpy(vectors),
        strengths=(strengths.ngrams, strengths.vectors),
    )
    weight = torch.zeros(len(scale), texts.n_classes)
    weight[torch.from_numpy(used)] = part
    return Regression(scale, weight, vector_weight if len(vector_weight) else None, bias)


def minimise(
    targets: Tensor, matrix: SparseMatrix | None, vectors: Tensor | None, *, strengths: tuple[float, float]
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the weights of a sparse matrix (text, column) and of vectors (text, width), and the bias.

    `targets` (text, class) are the weights of the right labels, and 0 for others.
    """
    problem = _Problem(targets, matrix, vectors, strengths)
    optimizer = torch.optim.LBFGS(
        problem.parameters, max_iter=STEPS, history_size=8, line_search_fn="strong_wolfe", tolerance_grad=1e-5
    )
    optimizer.step(problem.loss)  # type: ignore[no-untyped-call]
    weight, vector_weight, bias = (part.detach() for part in problem.parameters)
    return weight, vector_weight, bias


def product(matrix: Tensor, weight: Tensor) -> Tensor:
    """Return matrix @ weight. With few columns, `matrix @ weight` itself takes up to nine times as long."""
    return (weight.T.contiguous() @ matrix.T).T.contiguous()


class _Problem:
    """The loss of a regression, and its slopes."""

    def __init__(
        self, targets: Tensor, matrix: SparseMatrix | None, vectors: Tensor | None, strengths: tuple[float, float]
    ) -> None:
        self._n, n_classes = targets.shape
        self._targets, self._matrix, self._vectors = targets, matrix, vectors
        sizes = (0 if matrix is None else matrix.shape[1], 0 if vectors is None else vectors.shape[1])
        self._parts: list[Any] = [torch.zeros(size, n_classes) for size in sizes]
        self._bias: Any = torch.zeros(n_classes)
        self._decays = [1.0 / (max(strength, 1e-9) * self._n) for strength in strengths]
        self.parameters = [part.requires_grad_() for part in (*self._parts, self._bias)]

    @torch.no_grad()
    def loss(self) -> float:
        """Return the loss, and set the gradients."""
        weight, vector_weight = self._parts
        scores = self._bias.expand(self._n, -1)
        if self._matrix is not None and len(weight):
            scores = scores + self._matrix.times(weight)
        if self._vectors is not None:
            scores = scores + product(self._vectors, vector_weight)
        logs = scores.log_softmax(dim=1)
        slopes = (logs.exp() * self._targets.sum(dim=1, keepdim=True) - self._targets) / self._n
        loss = float(-(logs * self._targets).sum() / self._n)
        self._bias.grad = slopes.sum(dim=0)
        grads = [
            self._matrix.transposed_times(slopes) if self._matrix is not None and len(weight) else weight,
            product(self._vectors.T, slopes) if self._vectors is not None else vector_weight,
        ]
        for part, grad, decay in zip(self._parts, grads, self._decays, strict=True):
            part.grad = grad + decay * part
            loss += float(part.square().sum()) * decay / 2
        return loss
