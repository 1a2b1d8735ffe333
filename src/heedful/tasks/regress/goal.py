"""Learning a number for each input."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from heedful.config import Config
from heedful.data.batch import Batch
from heedful.data.example import Example
from heedful.data.features import Features
from heedful.network.network import Network, Output
from heedful.store.unit import Unit
from heedful.tasks.regress.metrics import regression_metrics
from heedful.tasks.regress.ridge import fit_ridge
from heedful.training.dataset import Sides, TrainingData
from heedful.training.goal import InMemoryGoal, Judged, Positions
from heedful.training.loop.loss import Loss, with_penalty
from heedful.training.start.fits import OnFit
from heedful.training.start.head_fit import place_linear, probe_inputs


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
    """Features, and the number of each input."""

    features: Sequence[Features]
    truth: NDArray[np.float64]

    @classmethod
    def of(cls, features: Sequence[Features], examples: Sequence[Example]) -> NumberedSet:
        """Read the numbers of examples."""
        return cls(features, numbers_of(examples))

    def __len__(self) -> int:
        return len(self.features)


class RegressGoal(InMemoryGoal):
    """The right number for each input. With `by_order` the best epoch has the best order of numbers."""

    def __init__(
        self,
        train: NumberedSet,
        valid: NumberedSet,
        *,
        coefficient: float,
        by_order: bool = False,
        scale: Scale | None = None,  # if these are not all the training examples
    ) -> None:
        super().__init__(train.features, valid.features)
        self.by_order, self.coefficient, self._valid = by_order, coefficient, valid
        self.scale = scale or Scale.of(train.truth)
        self.unit = Unit(self.scale.mean, self.scale.spread)
        self._truth = torch.from_numpy((train.truth - self.scale.mean) / self.scale.spread).float()

    def to(self, device: torch.device) -> Self:
        """Move the truth."""
        self._truth = self._truth.to(device)
        return self

    def part(self, features: Sequence[Features], examples: Sequence[Example]) -> RegressGoal:
        """Return a goal for some other training examples."""
        train, valid = NumberedSet.of(features, examples), NumberedSet([], np.zeros(0))
        return RegressGoal(train, valid, coefficient=self.coefficient, scale=self.scale)

    def loss(self, output: Output, positions: Positions) -> Loss:
        """Return the squared error, in units of the spread."""
        truth = self._truth[torch.from_numpy(positions)]
        return with_penalty(nn.functional.mse_loss(output.scores[:, 0], truth), output, self.coefficient)

    def to_learn(self, scores: NDArray[np.float32]) -> torch.Tensor:
        """Return a teacher's numbers in units of the spread."""
        return torch.from_numpy((scores - self.scale.mean) / self.scale.spread).float()

    def taught_loss(self, output: Output, scores: torch.Tensor) -> Loss:
        """Return the squared error, in units of the spread."""
        return with_penalty(nn.functional.mse_loss(output.scores, scores), output, self.coefficient)

    def direction(self, positions: Positions) -> torch.Tensor:
        """Return the sign of each number's difference from the mean."""
        return torch.sign(self._truth[torch.from_numpy(positions)])[:, None]

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return RMSE and other metrics in the unit of the truth; the smallest RMSE, or greatest Spearman, is best."""
        answers = np.zeros(len(self._valid))
        for batch, output in outputs:
            answers[batch.positions] = output.scores[:, 0].cpu().double().numpy()
        return self.judge_numbers(answers * self.scale.spread + self.scale.mean)

    def judge_model(self, model: Any) -> Judged:
        """Return the metrics of a loaded model, whose numbers are in the unit of the truth already."""
        numbers = np.zeros(len(self._valid))
        for batch, (scores,) in model.run(self.valid, ("scores",)):
            numbers[batch.positions] = scores[:, 0]
        return self.judge_numbers(numbers)

    def judge_numbers(self, numbers: NDArray[np.float64]) -> Judged:
        """Return the metrics of answers in the unit of the truth."""
        metrics = regression_metrics(self._valid.truth, numbers)
        figures = {"rmse": metrics.rmse, "mae": metrics.mae, "r2": metrics.r2, "spearman": metrics.spearman}
        rank = (metrics.spearman, -metrics.rmse) if self.by_order else (-metrics.rmse, metrics.spearman)
        return Judged(figures, (metrics.rmse / self.scale.spread) ** 2, rank)

    def fit_head(
        self, network: Network, examples: Sequence[Example], config: Config, labels: Sequence[str], on_fit: OnFit
    ) -> None:
        """Fit ridge regression to the encoder's vectors."""
        del config, labels, on_fit
        truth = (numbers_of(examples) - self.scale.mean) / self.scale.spread
        inputs = probe_inputs(network, self.features_of(examples))
        place_linear(network, *fit_ridge(inputs.vectors, truth), size=inputs.size)


def make_goal(config: Config, data: TrainingData, sides: Sides, *, by_order: bool = False) -> RegressGoal:
    """Return the goal for the examples of a training."""
    train, valid = (
        NumberedSet.of(features, examples) for features, examples in zip(sides, (data.train, data.valid), strict=True)
    )
    return RegressGoal(train, valid, coefficient=config.model.penalty, by_order=by_order)


def numbers_of(examples: Sequence[Example]) -> NDArray[np.float64]:
    """Return the labels, which are numbers."""
    return np.array([float(example.label) for example in examples])
