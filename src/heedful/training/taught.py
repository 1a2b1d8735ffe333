"""Training from a teacher's answers: to the labelled texts, and to more texts that have no label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray

from heedful.data.batch import Batch, training_batches
from heedful.data.features import Features
from heedful.network.network import Output
from heedful.settings import TrainSettings
from heedful.training.dataset import TrainingData
from heedful.training.goal import InMemoryGoal, Judged, Positions, StepGoal
from heedful.training.loop.device import threads
from heedful.training.loop.loss import Loss
from heedful.training.start.head_fit import has_linear_head
from heedful.training.start.taught_head import fit_head_to_scores

TRUTH = 0.2  # weight of the loss of the true labels, relative to that of the teacher's scores


@dataclass(frozen=True)
class TaughtData(TrainingData):
    """TrainingData with a teacher's scores for the training texts, for `more` texts, and for the validation set."""

    more: Sequence[str] = ()
    scores: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))  # of train, then of more
    valid_scores: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    facts: Mapping[str, Any] = field(default_factory=dict)  # about the teacher, for facts.json

    def prepared(self, prepared: Any) -> Any:
        """Return the same with a goal that learns from the teacher, and facts that say so."""
        inside: InMemoryGoal = prepared.goal
        more = [prepared.featuriser.features(text) for text in self.more]
        goal = TaughtGoal(inside, more, self.scores)
        if prepared.examples is not None and has_linear_head(prepared.network):
            with threads(prepared.config.train.threads):
                fit_head_to_scores(prepared.network, goal.train, goal.scores)
            prepared = replace(prepared, examples=None)  # a head fitted to the labels would be far from the scores
        metrics = inside.judge([_answered(inside.to_learn(self.valid_scores))]).metrics
        facts = {**prepared.facts, **self.facts, "taught_texts": len(self.scores), "teacher_metrics": dict(metrics)}
        return replace(prepared, goal=goal, facts=facts)


def _answered(scores: torch.Tensor) -> tuple[Batch, Output]:
    positions = np.arange(len(scores))
    return Batch({}, positions, positions), Output(scores, torch.zeros(0), torch.zeros(0))


class TaughtGoal:
    """The scores of a teacher for all texts, and the truth for labelled ones. `inside` has the validation set."""

    def __init__(self, inside: InMemoryGoal, more: Sequence[Features], scores: NDArray[np.float32]) -> None:
        self.inside, self.valid = inside, inside.valid
        self.train: Sequence[Features] = [*inside.train, *more]
        self.n_examples = len(self.train)
        self.scores = inside.to_learn(scores)

    def steps(self, settings: TrainSettings, epoch: int, start: int = 0) -> Iterator[tuple[StepGoal, Positions]]:
        """Yield the steps of an epoch from `start` on, over all texts."""
        batches = training_batches(self.train, batch_size=settings.batch_size, seed=settings.seed, epoch=epoch)
        return ((self, positions) for positions in batches[start:])

    def n_steps(self, settings: TrainSettings) -> int:
        """Return the number of steps in an epoch."""
        return -(-self.n_examples // settings.batch_size)

    def loss(self, output: Output, positions: Positions) -> Loss:
        """Return the loss of the teacher's scores, and the weighted one of the labels that are known."""
        taught = self.inside.taught_loss(output, self.scores[torch.from_numpy(positions)])
        rows = np.flatnonzero(positions < len(self.inside.train))
        if not len(rows):
            return taught
        at = torch.from_numpy(rows)
        labelled = Output(*(part[at] for part in output))
        truth = self.inside.loss(labelled, positions[rows]).answer
        return taught._replace(answer=taught.answer + TRUTH * len(rows) / len(positions) * truth)

    def to(self, device: torch.device) -> Self:
        """Move the truth and the teacher's scores to a device."""
        self.inside, self.scores = self.inside.to(device), self.scores.to(device)
        return self

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return the metrics of `inside`."""
        return self.inside.judge(outputs)
