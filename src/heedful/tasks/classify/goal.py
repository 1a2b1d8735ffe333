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
from heedful.training.loop.loss import ClassifyLoss, Loss, balanced_weights, with_penalty
from heedful.training.start.fits import OnFit
from heedful.training.start.head_fit import place_linear, probe_inputs
from heedful.training.start.linear_probe import best_temperature, fit_probe
from heedful.training.start.ngrams.place_wide import place_wide, texts_of_network
from heedful.training.start.ngrams.wide_fit import Strengths, fit_wide
from heedful.training.start.ngrams.wide_trials import Trials

SOFTER = 2.0  # temperature at which probabilities are compared with a teacher's
CONTRASTED = {"strengths": (10.0,)}  # of a probe of vectors that know the labels: held-out ones tell nothing there


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
        self._truth, self.truth = torch.from_numpy(train.truth), (train.truth, valid.truth)
        self.strengths: Strengths | None = None  # of a regression with n-grams, once they are chosen
        self._fitted_losses: NDArray[np.float64] | None = None  # (text,) of a fitted wide part, before the first epoch
        self._by_loss = False  # whether an epoch must have a smaller loss than the fitted wide part alone
        self._corrections: torch.Tensor | None = None  # (text, class), of the wide part's scores

    def to(self, device: torch.device) -> Self:
        """Move the truth and the weights of the labels."""
        self.error, self._truth = self.error.to(device), self._truth.to(device)
        if self._corrections is not None:
            self._corrections = self._corrections.to(device)
        return self

    def part(self, features: Sequence[Features], examples: Sequence[Example]) -> ClassifyGoal:
        """Return a goal for some other training examples."""
        train, valid = LabelledSet.of(features, examples, self.labels), LabelledSet.of([], [], self.labels)
        return ClassifyGoal(train, valid, labels=self.labels, error=self.error, figure=self.figure)

    def loss(self, output: Output, positions: Positions) -> Loss:
        """Compare scores with the labels of these inputs.

        The wide part has been fitted to these very inputs. What the rest of the network learns from are the scores that
        it has for new inputs.
        """
        if self._corrections is not None:
            output = output._replace(scores=output.scores + self._corrections[torch.from_numpy(positions)])
        return self.error(output, self._truth[torch.from_numpy(positions)])

    def to_learn(self, scores: NDArray[np.float32]) -> torch.Tensor:
        """Return scores of mean 0 for each input: only their differences matter."""
        return torch.from_numpy(scores - scores.mean(axis=1, keepdims=True))

    def taught_loss(self, output: Output, scores: torch.Tensor) -> Loss:
        """Return the divergence from the teacher's probabilities at a temperature (Hinton et al. 2015)."""
        own, taught = (nn.functional.log_softmax(each / SOFTER, dim=1) for each in (output.scores, scores))
        divergence = nn.functional.kl_div(own, taught, log_target=True, reduction="batchmean")
        return with_penalty(SOFTER**2 * divergence, output, self.error.coefficient)

    def temperature_of(self, outputs: Iterable[tuple[Batch, Output]]) -> float:
        """Return the temperature with the least loss, at least 1: a small validation set may be all right."""
        return max(1.0, best_temperature(torch.from_numpy(self._scores(outputs)), self._valid.truth))

    def direction(self, positions: Positions) -> torch.Tensor:
        """Return 1 for the right label of each input."""
        truth = self._truth[torch.from_numpy(positions)]
        return nn.functional.one_hot(truth, len(self.labels)).float()

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return accuracy and macro F1, and if asked for, the area under the ROC curve."""
        answers, truth = self._scores(outputs), torch.from_numpy(self._valid.truth)
        losses = nn.functional.cross_entropy(torch.from_numpy(answers), truth, reduction="none").double().numpy()
        metrics = metrics_of_scores(self._valid.truth, answers, self.labels)
        loss = float(losses.mean()) if len(losses) else 0.0
        figures = {"accuracy": metrics.accuracy, "macro_f1": metrics.macro_f1}
        if self.figure == "roc_auc":
            figures["roc_auc"] = metrics.roc_auc or 0.0
        rank = (self._rank(losses), figures[self.figure]) if self._by_loss else (figures[self.figure], -loss)
        return Judged(figures, loss, rank)

    def _scores(self, outputs: Iterable[tuple[Batch, Output]]) -> NDArray[np.float32]:
        scores = np.zeros((len(self._valid), len(self.labels)), dtype=np.float32)
        for batch, output in outputs:
            scores[batch.positions] = output.scores.cpu().numpy()
        return scores

    def _rank(self, losses: NDArray[np.float64]) -> float:
        """Return how good the losses (text,) are: those before the first epoch must be beaten by a standard error."""
        if self._fitted_losses is None:
            self._fitted_losses = losses
        change = losses - self._fitted_losses
        return -float(losses.mean() + change.std() / max(1, len(losses)) ** 0.5)

    def fit_head(
        self, network: Network, examples: Sequence[Example], config: Config, labels: Sequence[str], on_fit: OnFit
    ) -> None:
        """Fit logistic regression to the encoder's vectors, and to the n-grams if the network has a wide part."""
        if network.wide is not None:
            self._fit_wide(network, examples, config, on_fit)
            return
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
            **(CONTRASTED if self.is_contrasted else inputs.strengths),
        )
        place_linear(network, *linear, size=inputs.size)

    def fit_as(self, other: InMemoryGoal) -> None:
        """Take over the strengths of a regression with n-grams."""
        self.strengths = getattr(other, "strengths", None)

    def _fit_wide(self, network: Network, examples: Sequence[Example], config: Config, on_fit: OnFit) -> None:
        train = LabelledSet.of(self.features_of(examples), examples, self.labels)
        is_balanced = config.train.class_weights == "balanced"
        weights = balanced_weights(train.truth, len(self.labels)) if is_balanced else None
        texts = texts_of_network(network, train.features, train.truth, len(self.labels), class_weights=weights)
        seed = config.train.seed
        if self.strengths is None:
            fewest = config.text.min_texts or None
            self.strengths = Trials(texts, seed=seed).choose(fewest=fewest, on_fit=on_fit).strengths
        fitted = fit_wide(texts, self.strengths, seed=seed, calibrates=not self.is_contrasted)
        place_wide(network, fitted.regression)
        self._by_loss = texts.vectors is None  # it starts well, and accuracy on a few texts is too coarse to tell more
        self._corrections = fitted.corrections if len(examples) == len(self.train) else None


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
