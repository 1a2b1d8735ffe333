"""Learning one label for each input."""

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
from heedful.data.labels import label_numbers
from heedful.errors import ConfigError
from heedful.network.network import Network, Output
from heedful.tasks.classify.metrics import metrics_of_scores
from heedful.training.dataset import Sides, TrainingData
from heedful.training.goal import InMemoryGoal, Judged, Positions
from heedful.training.loop.loss import ClassifyLoss, Loss, balanced_weights
from heedful.training.start.fits import OnFit
from heedful.training.start.head_fit import place_linear, probe_inputs
from heedful.training.start.linear_probe import fit_probe


@dataclass(frozen=True)
class LabelledSet:
    """Features, and the number of each label."""

    features: Sequence[Features]
    truth: NDArray[np.int64]

    @classmethod
    def of(cls, features: Sequence[Features], examples: Sequence[Example], labels: Sequence[str]) -> LabelledSet:
        """Number the labels of examples by their place in `labels`."""
        return cls(features, label_numbers([example.label for example in examples], labels))

    def __len__(self) -> int:
        return len(self.features)


class ClassifyGoal(InMemoryGoal):
    """The right label for each input."""

    def __init__(
        self,
        train: LabelledSet,
        valid: LabelledSet,
        *,
        labels: Sequence[str],
        error: ClassifyLoss,
        figure: str = "accuracy",
    ) -> None:
        super().__init__(train.features, valid.features)
        self._valid = valid
        self.labels, self.error, self.figure = labels, error, figure
        self._truth = torch.from_numpy(train.truth)

    def to(self, device: torch.device) -> Self:
        """Move the truth and the weights of the labels."""
        self.error, self._truth = self.error.to(device), self._truth.to(device)
        return self

    def part(self, features: Sequence[Features], examples: Sequence[Example]) -> ClassifyGoal:
        """Return a goal for some other training examples."""
        train, valid = LabelledSet.of(features, examples, self.labels), LabelledSet.of([], [], self.labels)
        return ClassifyGoal(train, valid, labels=self.labels, error=self.error, figure=self.figure)

    def loss(self, output: Output, positions: Positions) -> Loss:
        """Compare scores with the labels of these inputs."""
        return self.error(output, self._truth[torch.from_numpy(positions)])

    def direction(self, positions: Positions) -> torch.Tensor:
        """Return 1 for the right label of each input."""
        truth = self._truth[torch.from_numpy(positions)]
        return nn.functional.one_hot(truth, len(self.labels)).float()

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return accuracy and macro F1, and if asked for, the area under the ROC curve."""
        answers = np.zeros((len(self._valid), len(self.labels)), dtype=np.float32)
        loss = 0.0
        for batch, output in outputs:
            scores = output.scores.cpu()
            truth = torch.from_numpy(self._valid.truth[batch.positions])
            loss += float(nn.functional.cross_entropy(scores, truth, reduction="sum"))
            answers[batch.positions] = scores.numpy()
        metrics = metrics_of_scores(self._valid.truth, answers, self.labels)
        loss /= max(1, len(self._valid))
        figures = {"accuracy": metrics.accuracy, "macro_f1": metrics.macro_f1}
        if self.figure == "roc_auc":
            figures["roc_auc"] = metrics.roc_auc or 0.0
        return Judged(figures, loss, (figures[self.figure], -loss))

    def fit_head(
        self, network: Network, examples: Sequence[Example], config: Config, labels: Sequence[str], on_fit: OnFit
    ) -> None:
        """Fit logistic regression to the encoder's vectors."""
        train = LabelledSet.of(self.features_of(examples), examples, labels)
        is_balanced = config.train.class_weights == "balanced"
        weights = balanced_weights(train.truth, len(labels)) if is_balanced else None
        inputs = probe_inputs(network, train.features)
        linear = fit_probe(
            inputs.vectors,
            train.truth,
            len(labels),
            class_weights=weights,
            seed=config.train.seed,
            on_fit=on_fit,
            **inputs.strengths,
        )
        place_linear(network, *linear, size=inputs.size)


def make_goal(config: Config, data: TrainingData, sides: Sides) -> ClassifyGoal:
    """Return the goal for the examples of a training."""
    train, valid = (
        LabelledSet.of(features, examples, data.labels)
        for features, examples in zip(sides, (data.train, data.valid), strict=True)
    )
    return classify_goal(config, train, valid, data.labels)


def classify_goal(config: Config, train: LabelledSet, valid: LabelledSet, labels: Sequence[str]) -> ClassifyGoal:
    """Return the goal for inputs that have label numbers already."""
    if config.train.figure == "roc_auc" and len(labels) != 2:
        raise ConfigError([f"train.figure is roc_auc, which is for two labels; there are {len(labels)}."])
    is_balanced = config.train.class_weights == "balanced"
    error = ClassifyLoss(
        coefficient=config.model.penalty,
        class_weights=balanced_weights(train.truth, len(labels)) if is_balanced else None,
    )
    return ClassifyGoal(train, valid, labels=labels, error=error, figure=config.train.figure)
