"""Learning a number for each text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from heedful.data.batch import Batch, training_batches
from heedful.data.features import Features
from heedful.network.network import Output
from heedful.settings import TrainSettings
from heedful.tasks.regress.metrics import regression_figures
from heedful.training.goal import Judged, Positions
from heedful.training.loop.loss import Loss, with_penalty
from heedful.training.start.fits import threads_for_work

STRENGTHS = (0.001, 0.01, 0.1, 1.0, 10.0)  # of the ridge, for vectors of length 1
FOLDS = 5


@dataclass(frozen=True)
class Scale:
    """The network learns numbers of mean 0 and spread 1, whatever the unit of the truth."""

    mean: float
    spread: float

    @classmethod
    def of(cls, truth: NDArray[np.float64]) -> Scale:
        """Return the scale of some truths; numbers that are all equal keep their unit."""
        return cls(float(truth.mean()), float(truth.std()) or 1.0)


@dataclass(frozen=True)
class NumberedSet:
    """Featurised texts and their numbers."""

    features: Sequence[Features]
    truth: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.features)


class RegressGoal:
    """The right number for each text; with `by_order`, the epoch is best whose numbers are best in order."""

    def __init__(
        self,
        train: NumberedSet,
        valid: NumberedSet,
        *,
        coefficient: float,
        by_order: bool = False,
        scale: Scale | None = None,  # where these are not all the texts there are
    ) -> None:
        self.train, self.valid, self.n_examples = train.features, valid.features, len(train)
        self.by_order = by_order
        self._valid, self.coefficient = valid, coefficient
        self.scale = scale or Scale.of(train.truth)
        self._truth = torch.from_numpy((train.truth - self.scale.mean) / self.scale.spread).float()

    def batches(self, settings: TrainSettings, epoch: int) -> list[Positions]:
        """Return texts of like length together."""
        return training_batches(self.train, batch_size=settings.batch_size, seed=settings.seed, epoch=epoch)

    def to(self, device: torch.device) -> Self:
        """Move the truth."""
        self._truth = self._truth.to(device)
        return self

    def loss(self, output: Output, positions: Positions) -> Loss:
        """Return the squared error, in units of the spread."""
        truth = self._truth[torch.from_numpy(positions)]
        return with_penalty(nn.functional.mse_loss(output.scores[:, 0], truth), output, self.coefficient)

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return RMSE and the others, in the unit of the truth; the smallest RMSE, or greatest Spearman, is best."""
        answers = np.zeros(len(self._valid))
        for batch, output in outputs:
            answers[batch.positions] = output.scores[:, 0].cpu().double().numpy()
        return self.judge_numbers(answers * self.scale.spread + self.scale.mean)

    def judge_numbers(self, numbers: NDArray[np.float64]) -> Judged:
        """Judge answers that are in the unit of the truth."""
        found = regression_figures(self._valid.truth, numbers)
        figures = {"rmse": found.rmse, "mae": found.mae, "r2": found.r2, "spearman": found.spearman}
        rank = (found.spearman, -found.rmse) if self.by_order else (-found.rmse, found.spearman)
        return Judged(figures, (found.rmse / self.scale.spread) ** 2, rank)


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
        found = _solve(x, y, STRENGTHS[int(np.argmin(errors))])
    return found[None, :-1].float(), found[-1:].float()


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
