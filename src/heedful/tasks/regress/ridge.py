"""Ridge regression, its strength chosen by cross-validation."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.training.start.fits import threads_for_work

STRENGTHS = (0.001, 0.01, 0.1, 1.0, 10.0)  # for vectors of length 1
FOLDS = 5


def fit_ridge(vectors: NDArray[np.float32], truth: NDArray[np.float64], *, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Return weights (1, width) and bias (1,) of the ridge regression that is best on folds kept out."""
    x = torch.from_numpy(np.column_stack([vectors.astype(np.float64), np.ones(len(vectors))]))
    y = torch.from_numpy(np.asarray(truth, dtype=np.float64))
    folds = torch.from_numpy(np.random.default_rng(seed).permutation(len(x)) % FOLDS)
    with threads_for_work(x.numel() * x.shape[1]):
        errors = [
            sum(_error(x[folds != f], y[folds != f], x[folds == f], y[folds == f], strength) for f in range(FOLDS))
            for strength in STRENGTHS
        ]
        weights = _solve(x, y, STRENGTHS[int(np.argmin(errors))])
    return weights[None, :-1].float(), weights[-1:].float()


def _solve(x: Tensor, y: Tensor, strength: float) -> Tensor:
    """Minimise ‖x w − y‖² + strength ‖w‖², the last column of x being the bias, which is free."""
    ridge = torch.full((x.shape[1],), strength, dtype=x.dtype)
    ridge[-1] = 1e-8
    solution: Tensor = torch.linalg.solve(x.T @ x + torch.diag(ridge), x.T @ y)
    return solution


def _error(x: Tensor, y: Tensor, x_out: Tensor, y_out: Tensor, strength: float) -> float:
    if not len(x) or not len(x_out):
        return 0.0
    return float(((x_out @ _solve(x, y, strength) - y_out) ** 2).sum())
