"""The goal of training: the inputs of each step, its loss, and the metrics of an epoch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
import torch
from numpy.typing import NDArray

from heedful.config import Config
from heedful.data.batch import Batch, training_batches
from heedful.data.example import Example
from heedful.data.features import Features
from heedful.network.network import Network, Output
from heedful.settings import TrainSettings
from heedful.store.unit import Unit
from heedful.training.loop.loss import Loss
from heedful.training.start.fits import OnFit

Positions = NDArray[np.int64]
_NOTHING = torch.zeros(0)


class Judged(NamedTuple):
    """The metrics of an epoch on the validation set; the epoch with the greatest rank is the best."""

    metrics: Mapping[str, float]
    loss: float
    rank: tuple[float, float]


class StepGoal(Protocol):
    """The interface of a goal to one step of training."""

    train: Sequence[Features]  # what positions point to
    n_examples: int  # among them: texts, or pairs of texts

    def loss(self, output: Output, positions: Positions) -> Loss:
        """Return the loss of the output for these training inputs."""


class Goal(Protocol):
    """The interface of a task to the training loop."""

    valid: Sequence[Features]
    n_examples: int  # in an epoch: texts, or pairs of texts

    @property
    def inside(self) -> InMemoryGoal:
        """The goal with its data in memory: itself, or of a stream its sample."""

    def steps(self, settings: TrainSettings, epoch: int, start: int = 0) -> Iterator[tuple[StepGoal, Positions]]:
        """Yield the steps of an epoch from `start` on: equal for the same seed and epoch."""

    def n_steps(self, settings: TrainSettings) -> int:
        """Return the approximate number of steps in an epoch."""

    def to(self, device: torch.device) -> Self:
        """Return the same goal for another device."""

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return the metrics of the outputs for the whole validation set."""


class InMemoryGoal:
    """A goal whose data are in memory. Each task has one of its own."""

    unit: Unit | None = None  # of an answer that is a number
    truth: tuple[Positions, Positions] | None = None  # label numbers of training and validation inputs with one each
    is_contrasted = False  # whether the labels have tuned the encoder already

    def __init__(self, train: Sequence[Features], valid: Sequence[Features]) -> None:
        self.train, self.valid, self.n_examples = train, valid, len(train)

    @property
    def inside(self) -> InMemoryGoal:
        """Itself."""
        return self

    def batches(self, settings: TrainSettings, epoch: int) -> list[Positions]:
        """Return the positions of each step: inputs of similar length together."""
        return training_batches(self.train, batch_size=settings.batch_size, seed=settings.seed, epoch=epoch)

    def steps(self, settings: TrainSettings, epoch: int, start: int = 0) -> Iterator[tuple[StepGoal, Positions]]:
        """Yield the steps of an epoch from `start` on."""
        return ((self, positions) for positions in self.batches(settings, epoch)[start:])

    def n_steps(self, settings: TrainSettings) -> int:
        """Return the number of steps in an epoch."""
        return -(-self.n_examples // settings.batch_size)

    def to(self, device: torch.device) -> Self:
        """Move the truth to a device."""
        del device
        return self

    def attach(self, network: Network) -> None:
        """Share parts of the network that the loss needs."""

    def part(self, features: Sequence[Features], examples: Sequence[Example]) -> InMemoryGoal:
        """Return a goal with the same loss for other training examples, for streamed data."""
        raise NotImplementedError

    def fit_head(
        self, network: Network, examples: Sequence[Example], config: Config, labels: Sequence[str], on_fit: OnFit
    ) -> None:
        """Fit a linear head to the training examples, or to these and the validation set."""

    def fit_as(self, other: InMemoryGoal) -> None:
        """Fit a head with the strengths that another goal has chosen, where strengths are chosen."""

    def features_of(self, examples: Sequence[Example]) -> Sequence[Features]:
        """Return the features of the training examples, or of all."""
        return self.train if len(examples) == len(self.train) else [*self.train, *self.valid]

    def loss(self, output: Output, positions: Positions) -> Loss:
        """Return the loss of the output for these training inputs."""
        raise NotImplementedError

    def to_learn(self, scores: NDArray[np.float32]) -> torch.Tensor:
        """Return what a network learns from a teacher's scores (input, label) for the same task."""
        return torch.from_numpy(scores)

    def taught_loss(self, output: Output, scores: torch.Tensor) -> Loss:
        """Return the loss of the output against a teacher's scores, as `to_learn` returns them."""
        raise NotImplementedError

    def direction(self, positions: Positions) -> torch.Tensor:
        """Return (input, label): 1 for labels that are right, so that a word that adds to them adds to the answer."""
        raise NotImplementedError

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return the metrics of the outputs for the whole validation set."""
        raise NotImplementedError

    def judge_model(self, model: Any) -> Judged:
        """Return the metrics of a loaded model on the validation set."""
        return self.judge(
            (batch, Output(torch.from_numpy(scores), _NOTHING, _NOTHING))
            for batch, (scores,) in model.run(self.valid, (model.output,))
        )
