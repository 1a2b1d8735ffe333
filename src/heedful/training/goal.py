"""What training works towards: which texts make a step, how wrong a step is, how good an epoch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from heedful.data.batch import Batch, training_batches
from heedful.data.features import Features
from heedful.network.network import Output
from heedful.settings import TrainSettings
from heedful.tasks.classify.metrics import figures_of_scores
from heedful.training.loop.loss import ClassifyLoss, Loss

Positions = NDArray[np.int64]


class Judged(NamedTuple):
    """An epoch's figures on the texts kept for checking; the epoch with the greatest rank is the best."""

    figures: Mapping[str, float]
    loss: float
    rank: tuple[float, float]


class Goal(Protocol):
    """What the loop asks of a task."""

    train: Sequence[Features]  # what positions in `batches` point to
    valid: Sequence[Features]
    n_examples: int  # in an epoch: texts, or pairs of texts

    def batches(self, settings: TrainSettings, epoch: int) -> list[Positions]:
        """Return the positions of each step of an epoch: the same for the same seed and epoch, else different."""

    def to(self, device: torch.device) -> Self:
        """Return the same goal for another device."""

    def loss(self, output: Output, positions: Positions) -> Loss:
        """Return how wrong the output for these training texts is."""

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return how good the outputs for all checking texts are."""


@dataclass(frozen=True)
class LabelledSet:
    """Featurised texts and their label numbers."""

    features: Sequence[Features]
    truth: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.features)


class ClassifyGoal:
    """The right label for each text."""

    def __init__(
        self,
        train: LabelledSet,
        valid: LabelledSet,
        *,
        labels: Sequence[str],
        error: ClassifyLoss,
        figure: str = "accuracy",
    ) -> None:
        self.train, self.valid, self.n_examples = train.features, valid.features, len(train)
        self._train, self._valid = train, valid
        self.labels, self.error, self.figure = labels, error, figure
        self._truth = torch.from_numpy(train.truth)

    def batches(self, settings: TrainSettings, epoch: int) -> list[Positions]:
        """Return texts of like length together."""
        return training_batches(self.train, batch_size=settings.batch_size, seed=settings.seed, epoch=epoch)

    def to(self, device: torch.device) -> Self:
        """Move the truth and the weights of the labels."""
        self.error, self._truth = self.error.to(device), self._truth.to(device)
        return self

    def loss(self, output: Output, positions: Positions) -> Loss:
        """Compare scores with the labels of these texts."""
        return self.error(output, self._truth[torch.from_numpy(positions)])

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return accuracy and macro F1, and where it is asked for, the area under the ROC curve."""
        answers = np.zeros((len(self._valid), len(self.labels)), dtype=np.float32)
        loss = 0.0
        for batch, output in outputs:
            scores = output.scores.cpu()
            truth = torch.from_numpy(self._valid.truth[batch.positions])
            loss += float(nn.functional.cross_entropy(scores, truth, reduction="sum"))
            answers[batch.positions] = scores.numpy()
        found = figures_of_scores(self._valid.truth, answers, self.labels)
        loss /= max(1, len(self._valid))
        figures = {"accuracy": found.accuracy, "macro_f1": found.macro_f1}
        if self.figure == "roc_auc":
            figures["roc_auc"] = found.roc_auc or 0.0
        return Judged(figures, loss, (figures[self.figure], -loss))
