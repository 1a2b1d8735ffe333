"""Learning a label for each token: of sentences, or of the nodes of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from heedful.config import Config
from heedful.data.batch import Batch
from heedful.data.features import Features
from heedful.data.labels import label_numbers
from heedful.network.heads.tag.crf import Crf
from heedful.network.network import Network, Output
from heedful.tasks.tag.span_metrics import span_metrics
from heedful.tasks.tag.spans import OUTSIDE, is_bio, marks_spans
from heedful.training.dataset import Sides, TrainingData
from heedful.training.goal import InMemoryGoal, Judged, Positions
from heedful.training.loop.loss import Loss

NOT_KNOWN = -1  # a token whose label is not known: it is read, and neither learned from nor judged


@dataclass(frozen=True)
class TaggedSet:
    """Featurised texts, or graphs, and the label number of each token; NOT_KNOWN if a token has no label."""

    features: Sequence[Features]
    truth: Sequence[NDArray[np.int64]]  # (time,) each

    def __post_init__(self) -> None:
        for i, (each, truth) in enumerate(zip(self.features, self.truth, strict=True)):
            if len(each) != len(truth):
                raise ValueError(f"example {i} has {len(each)} tokens and {len(truth)} labels")

    @classmethod
    def of(cls, features: Sequence[Features], labels: Sequence[Sequence[str]], known: Sequence[str]) -> TaggedSet:
        """Number labels by their place in `known`; what was cut from the features is left out of these too."""
        rows = zip(features, labels, strict=True)
        return cls(features, [label_numbers(list(row), known)[: len(each)] for each, row in rows])

    def __len__(self) -> int:
        return len(self.features)


class TagGoal(InMemoryGoal):
    """The right label for each token; with a CRF, the right row of labels for each text.

    Judged by the share of right tokens, or where labels mark spans (B-person, I-person) by F1 over spans. Where spans
    are rare, calling everything O is hard to beat: `miss_cost` is added to the score of O wherever a span is, while
    training alone, so that only a label that wins by so much is good enough (a softmax margin).
    """

    def __init__(
        self,
        train: TaggedSet,
        valid: TaggedSet,
        *,
        labels: Sequence[str],
        crf: Crf | None = None,
        miss_cost: float = 0.0,
    ) -> None:
        super().__init__(train.features, valid.features)
        self._train, self._valid = train, valid
        self.labels, self.crf, self.has_spans = labels, crf, marks_spans(labels)
        self._miss_cost = torch.zeros(len(labels))
        if self.has_spans and OUTSIDE in labels:
            self._miss_cost[list(labels).index(OUTSIDE)] = miss_cost
        self._device = torch.device("cpu")

    def to(self, device: torch.device) -> Self:
        """Remember where truths have to be; the CRF moves with the network that it is part of."""
        self._device, self._miss_cost = device, self._miss_cost.to(device)
        return self

    def attach(self, network: Network) -> None:
        """Learn by the network's CRF, if it has one; transitions that cannot be are barred."""
        crf = getattr(network.head, "crf", None)
        barred = barred_steps(self.labels)
        if crf is not None and barred is not None:
            crf.bar(barred)
        self.crf = crf

    def loss(self, output: Output, positions: Positions) -> Loss:
        """Return −log p of the truth, for each token whose label is known."""
        truth = padded_truth(self._train.truth, positions, output.scores.shape[1]).to(self._device)
        scores = output.scores + self._missed(truth)[:, :, None] * self._miss_cost
        answer = self._error(scores, truth, self._lengths(self.train, positions)) / _known(truth)
        return Loss(answer, torch.zeros(()), mass=_known(truth))

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return the share of right tokens, and of spans precision, recall and F1."""
        answers: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)] * len(self._valid)
        loss, n_known = 0.0, 0.0
        for batch, output in outputs:
            lengths = torch.from_numpy(batch.lengths).to(self._device)
            truth = padded_truth(self._valid.truth, batch.positions, output.scores.shape[1]).to(self._device)
            loss += float(self._error(output.scores, truth, lengths))
            n_known += float((truth >= 0).sum())
            for i, row, n in zip(batch.positions, self._answers(output.scores, lengths), batch.lengths, strict=True):
                answers[i] = row[:n]
        figures = self._figures(answers)
        loss /= max(1.0, n_known)
        return Judged(figures, loss, (figures["f1" if self.has_spans else "accuracy"], -loss))

    def _error(self, scores: Tensor, truth: Tensor, lengths: Tensor) -> Tensor:
        """Return −log p of the truth (batch, time), summed over the batch."""
        if self.crf is not None:
            return self.crf(scores, truth, _mask(lengths, scores)).sum()  # type: ignore[no-any-return]
        flat = scores.flatten(0, 1), truth.flatten()
        return nn.functional.cross_entropy(*flat, ignore_index=NOT_KNOWN, reduction="sum")

    def _missed(self, truth: Tensor) -> Tensor:
        """Return (batch, time), True where O would miss a span."""
        return (truth >= 0) & (self._miss_cost[truth.clamp(min=0)] == 0)

    def _answers(self, scores: Tensor, lengths: Tensor) -> NDArray[np.int64]:
        best = scores.argmax(2) if self.crf is None else self.crf.best(scores, _mask(lengths, scores))
        return np.asarray(best.cpu().numpy())

    def _figures(self, answers: Sequence[NDArray[np.int64]]) -> dict[str, float]:
        known = [truth >= 0 for truth in self._valid.truth]
        right = sum(int((a[k] == t[k]).sum()) for a, t, k in zip(answers, self._valid.truth, known, strict=True))
        figures = {"accuracy": right / max(1, sum(int(k.sum()) for k in known))}
        if self.has_spans:
            spans = span_metrics(*([self._names(row) for row in side] for side in (self._valid.truth, answers)))
            figures = {"f1": spans.f1, "precision": spans.precision, "recall": spans.recall, **figures}
        return figures

    def _names(self, row: NDArray[np.int64]) -> list[str]:
        return [self.labels[i] if i >= 0 else OUTSIDE for i in row]

    def _lengths(self, features: Sequence[Features], positions: Positions) -> Tensor:
        return torch.tensor([len(features[i]) for i in positions], device=self._device)


def make_goal(config: Config, data: TrainingData, sides: Sides) -> TagGoal:
    """Return the goal for the examples of a training."""
    train, valid = (
        TaggedSet.of(features, [example.label for example in examples], data.labels)
        for features, examples in zip(sides, (data.train, data.valid), strict=True)
    )
    return TagGoal(train, valid, labels=data.labels, miss_cost=config.train.miss_cost)


def padded_truth(truths: Sequence[NDArray[np.int64]], positions: Positions, time: int) -> Tensor:
    """Return the labels of some texts as one array (batch, time), NOT_KNOWN on pads."""
    padded = np.full((len(positions), time), NOT_KNOWN, dtype=np.int64)
    for row, i in enumerate(positions):
        padded[row, : len(truths[i])] = truths[i]
    return torch.from_numpy(padded)


def barred_steps(labels: Sequence[str]) -> Tensor | None:
    """Return which steps between labels may never be taken: I-person only follows B-person or I-person.

    (label + 1, label + 1), True where barred, the last row for what begins a text. None for labels that are not
    written so.
    """
    if not is_bio(labels):
        return None
    barred = torch.zeros(len(labels) + 1, len(labels) + 1, dtype=torch.bool)
    for j, label in enumerate(labels):
        if label[0] == "I":
            barred[:, j] = torch.tensor([before == OUTSIDE or before[1:] != label[1:] for before in labels] + [True])
    return barred


def _mask(lengths: Tensor, scores: Tensor) -> Tensor:
    return torch.arange(scores.shape[1], device=scores.device) < lengths[:, None]


def _known(truth: Tensor) -> Tensor:
    """Return how many labels are known, at least 1."""
    return (truth >= 0).sum().clamp(min=1)
