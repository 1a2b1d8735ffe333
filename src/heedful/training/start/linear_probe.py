"""Logistic regression on fixed vectors, with its regularization chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from heedful.training.start.fits import OnFit, ignore_fit, threads_for_work

STRENGTHS = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0)  # inverse of the weight decay, as scikit-learn's C
TEMPERATURES = np.geomspace(0.1, 5.0, 61)
FOLDS = 5
STEPS = 100


def fit_probe(
    vectors: NDArray[np.float32],
    truth: NDArray[np.int64],
    n_classes: int,
    *,
    class_weights: Tensor | None = None,
    strengths: Sequence[float] = STRENGTHS,
    seed: int = 0,
    on_fit: OnFit = ignore_fit,
) -> tuple[Tensor, Tensor]:
    """Return weights (class, width) and biases (class,) of the regression that is best on held-out folds.

    A strength is judged by its loss at the best temperature, and the scores are divided by that temperature: few texts
    need much weight decay to be right, and less to be as sure as they should be. `on_fit` is called after each fit.
    """
    x, y = torch.from_numpy(vectors), torch.from_numpy(truth)
    total = n_fits(strengths)
    with threads_for_work(x.numel() * n_classes):
        best, temperature = strengths[0], 1.0
        if len(strengths) > 1:
            best, temperature = _best_strength(
                x, y, n_classes, class_weights, strengths, seed, lambda done: on_fit(done, total)
            )
        weights, biases = _fit(x, y, n_classes, best, class_weights)
    on_fit(total, total)
    return weights / temperature, biases / temperature


def n_fits(strengths: Sequence[float] = STRENGTHS) -> int:
    """Return the number of fits of a probe: one for each strength and fold, and one with all texts."""
    return len(strengths) * FOLDS + 1 if len(strengths) > 1 else 1


def fit_label_probes(
    vectors: NDArray[np.float32], truth: NDArray[np.int8], *, seed: int = 0, on_fit: OnFit = ignore_fit
) -> tuple[Tensor, Tensor]:
    """Return weights (label, width) and biases (label,) of a regression for each label, by the texts that have it.

    `truth` (text, label) is 1, 0, or less where it is not known. A label of which nothing can be learned is as likely
    as not.
    """
    weights, biases = torch.zeros(truth.shape[1], vectors.shape[1]), torch.zeros(truth.shape[1])
    each, total = n_fits(), n_fits() * truth.shape[1]
    for i, column in enumerate(truth.T):
        known = column >= 0
        if len(np.unique(column[known])) == 2:
            x, y = vectors[known], column[known].astype(np.int64)
            of_two, bias = fit_probe(x, y, 2, seed=seed, on_fit=lambda done, _, i=i: on_fit(i * each + done, total))  # type: ignore[misc]
            weights[i], biases[i] = of_two[1] - of_two[0], bias[1] - bias[0]
    return weights, biases


def _best_strength(
    x: Tensor,
    y: Tensor,
    n_classes: int,
    class_weights: Tensor | None,
    strengths: Sequence[float],
    seed: int,
    on_fit: Callable[[int], None] = lambda _: None,
) -> tuple[float, float]:
    """Return the strength with the least loss on held-out texts, and its temperature; the weaker of equals."""
    folds = _folds(y, n_classes, seed)
    losses, temperatures = [], []
    for i, strength in enumerate(strengths):
        scores, is_held = torch.zeros(len(y), n_classes), torch.zeros(len(y), dtype=torch.bool)
        for fold in range(FOLDS):
            out = folds == fold
            if not out.any() or out.all():
                continue
            weights, biases = _fit(x[~out], y[~out], n_classes, strength, class_weights)
            scores[out], is_held = x[out] @ weights.T + biases, is_held | out
            on_fit(i * FOLDS + fold + 1)
        temperatures.append(best_temperature(scores[is_held], y[is_held].numpy()) if is_held.any() else 1.0)
        losses.append(float(nn.functional.cross_entropy(scores[is_held] / temperatures[-1], y[is_held])))
    best = int(np.argmin(losses))
    return strengths[best], temperatures[best]


def best_temperature(scores: Tensor, truth: NDArray[np.int64]) -> float:
    """Return the number by which scores (text, class) are divided for the least cross-entropy."""
    labels = torch.from_numpy(truth)
    losses = [float(nn.functional.cross_entropy(scores / t, labels)) for t in TEMPERATURES]
    return float(TEMPERATURES[int(np.argmin(losses))])


def _folds(y: Tensor, n_classes: int, seed: int) -> Tensor:
    """Assign the texts of each class to the folds in turn."""
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(seed))
    folds = torch.zeros(len(y), dtype=torch.int64)
    for label in range(n_classes):
        own = order[y[order] == label]
        folds[own] = (torch.arange(len(own)) + label) % FOLDS
    return folds


def _fit(x: Tensor, y: Tensor, n_classes: int, strength: float, class_weights: Tensor | None) -> tuple[Tensor, Tensor]:
    """Minimise cross-entropy + ‖W‖² / (2 · strength · n) with L-BFGS; the problem is convex."""
    weights = torch.zeros(n_classes, x.shape[1], requires_grad=True)
    biases = torch.zeros(n_classes, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights, biases], max_iter=STEPS, history_size=10, line_search_fn="strong_wolfe")

    def closure() -> float:
        optimiser.zero_grad()
        loss = nn.functional.cross_entropy(x @ weights.T + biases, y, weight=class_weights)
        loss = loss + weights.square().sum() / (2.0 * strength * len(y))
        loss.backward()  # type: ignore[no-untyped-call]
        return float(loss.detach())

    optimiser.step(closure)  # type: ignore[no-untyped-call]
    return weights.detach(), biases.detach()
