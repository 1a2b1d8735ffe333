"""Learning many labels at once, each yes or no, some unknown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from heedful.config import Config
from heedful.data.batch import Batch
from heedful.data.example import Example
from heedful.data.features import Features
from heedful.network.network import Network, Output
from heedful.tasks.multilabel.metrics import UNKNOWN, multilabel_metrics, truth_of
from heedful.training.dataset import Sides, TrainingData
from heedful.training.goal import InMemoryGoal, Judged, Positions
from heedful.training.loop.loss import Loss, with_penalty
from heedful.training.start.fits import OnFit
from heedful.training.start.head_fit import place_linear, probe_inputs
from heedful.training.start.linear_probe import fit_label_probes


@dataclass(frozen=True)
class MultilabelSet:
    """Featurised examples, and for each label 1, 0 or UNKNOWN."""

    features: Sequence[Features]
    truth: NDArray[np.int8]  # (example, label)

    @classmethod
    def of(cls, features: Sequence[Features], answers: Sequence[Sequence[str]]) -> MultilabelSet:
        """Return the set of examples whose answers are "1", "0" or "" for each label."""
        return cls(features, truth_of(answers))


class MultilabelGoal(InMemoryGoal):
    """The right yes or no for each label that is known; unknown ones teach nothing."""

    def __init__(
        self, train: MultilabelSet, valid: MultilabelSet, *, labels: Sequence[str], coefficient: float
    ) -> None:
        super().__init__(train.features, valid.features)
        self._valid, self.labels, self.coefficient = valid, labels, coefficient
        self._truth = torch.from_numpy(train.truth).float()

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

    def taught_loss(self, output: Output, scores: torch.Tensor) -> Loss:
        """Return the squared error of the scores."""
        return with_penalty(nn.functional.mse_loss(output.scores, scores), output, self.coefficient)

    def direction(self, positions: Positions) -> torch.Tensor:
        """Return 1 for the labels that each input has."""
        return (self._truth[torch.from_numpy(positions)] == 1).float()

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return the mean area under the ROC curves of the labels."""
        scores = np.zeros(self._valid.truth.shape, dtype=np.float32)
        for batch, output in outputs:
            scores[batch.positions] = output.scores.cpu().numpy()
        probabilities = 1.0 / (1.0 + np.exp(-scores.astype(np.float64)))
        metrics = multilabel_metrics(self._valid.truth, probabilities, self.labels)
        figures = {"roc_auc": metrics.roc_auc, "accuracy": metrics.accuracy}
        return Judged(figures, metrics.loss, (metrics.roc_auc, -metrics.loss))

    def fit_head(
        self, network: Network, examples: Sequence[Example], config: Config, labels: Sequence[str], on_fit: OnFit
    ) -> None:
        """Fit logistic regression for each label to the encoder's vectors."""
        del labels
        truth = truth_of([example.label for example in examples])
        inputs = probe_inputs(network, self.features_of(examples))
        linear = fit_label_probes(inputs.vectors, truth, seed=config.train.seed, on_fit=on_fit)
        place_linear(network, *linear, size=inputs.size)


def make_goal(config: Config, data: TrainingData, sides: Sides) -> MultilabelGoal:
    """Return the goal for the examples of a training."""
    train, valid = (
        MultilabelSet.of(features, [example.label for example in examples])
        for features, examples in zip(sides, (data.train, data.valid), strict=True)
    )
    return MultilabelGoal(train, valid, labels=data.labels, coefficient=config.model.penalty)
