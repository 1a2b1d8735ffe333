"""Learning many labels at once, each yes or no, some unknown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from heedful.data.batch import Batch, training_batches
from heedful.data.features import Features
from heedful.network.network import Output
from heedful.settings import TrainSettings
from heedful.tasks.multilabel.metrics import UNKNOWN, many_figures, truth_of
from heedful.training.goal import Judged, Positions
from heedful.training.loop.loss import Loss, with_penalty


@dataclass(frozen=True)
class ManySet:
    """Featurised examples, and for each label 1, 0 or UNKNOWN."""

    features: Sequence[Features]
    truth: NDArray[np.int8]  # (example, label)

    @classmethod
    def of(cls, features: Sequence[Features], answers: Sequence[Sequence[str]]) -> ManySet:
        """Return the set of examples whose answers are "1", "0" or "" for each label."""
        return cls(features, truth_of(answers))


class ManyGoal:
    """The right yes or no for each label that is known; unknown ones teach nothing."""

    def __init__(self, train: ManySet, valid: ManySet, *, labels: Sequence[str], coefficient: float) -> None:
        self.train, self.valid, self.n_examples = train.features, valid.features, len(train.features)
        self._valid, self.labels, self.coefficient = valid, labels, coefficient
        self._truth = torch.from_numpy(train.truth).float()

    def batches(self, settings: TrainSettings, epoch: int) -> list[Positions]:
        """Return inputs of like length together."""
        return training_batches(self.train, batch_size=settings.batch_size, seed=settings.seed, epoch=epoch)

    def to(self, device: torch.device) -> Self:
        """Move the truth."""
        self._truth = self._truth.to(device)
        return self

    def loss(self, output: Output, positions: Positions) -> Loss:
        """Return the mean cross-entropy of the answers that are known."""
        truth = self._truth[torch.from_numpy(positions)]
        known = (truth != UNKNOWN).float()
        each = nn.functional.binary_cross_entropy_with_logits(output.scores, truth * known, reduction="none")
        mass = known.sum().clamp(min=1.0)
        return with_penalty((each * known).sum() / mass, output, self.coefficient, mass=mass)

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return the mean area under the ROC curves of the labels."""
        scores = np.zeros(self._valid.truth.shape, dtype=np.float32)
        for batch, output in outputs:
            scores[batch.positions] = output.scores.cpu().numpy()
        found = many_figures(self._valid.truth, 1.0 / (1.0 + np.exp(-scores.astype(np.float64))), self.labels)
        return Judged({"roc_auc": found.roc_auc, "accuracy": found.accuracy}, found.loss, (found.roc_auc, -found.loss))
