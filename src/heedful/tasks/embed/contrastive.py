"""Learning from pairs of texts that belong together: each must find its partner among the others of the step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch import Tensor, nn

from heedful.data.batch import Batch, training_batches
from heedful.data.features import Features, Ids
from heedful.network.network import Output
from heedful.settings import TrainSettings
from heedful.training.goal import InMemoryGoal, Judged, Positions
from heedful.training.loop.loss import Loss


class PairGoal(InMemoryGoal):
    """Contrastive learning with the other texts of the step as wrong answers (InfoNCE, in both directions).

    `first[i]` and `second[i]` belong together. A text that occurs twice in a batch is not a negative of itself.
    """

    def __init__(
        self,
        train: tuple[Sequence[Ids], Sequence[Ids]],
        valid: tuple[Sequence[Ids], Sequence[Ids]],
        *,
        temperature: float,
    ) -> None:
        super().__init__([*train[0], *train[1]], [*valid[0], *valid[1]])
        self.n_examples = len(train[0])
        self.temperature = temperature
        self._same = _numbers_of_equal(self.train)

    def batches(self, settings: TrainSettings, epoch: int) -> list[Positions]:
        """Return the first texts of some pairs, then the second texts of the same."""
        n = self.n_examples
        longer = [max(a, b, key=len) for a, b in zip(self.train[:n], self.train[n:], strict=True)]
        steps = training_batches(longer, batch_size=settings.batch_size, seed=settings.seed, epoch=epoch)
        return [np.concatenate([pairs, pairs + n]) for pairs in steps]

    def loss(self, output: Output, positions: Positions) -> Loss:
        """Return the cross-entropy of finding the partner."""
        half = len(positions) // 2
        first, second = output.scores[:half], output.scores[half:]
        same = self._same[positions]
        left, right = same[:half], same[half:]
        equal = (left[:, None] == right) | (right[:, None] == right) | (left[:, None] == left)
        again = torch.from_numpy(equal)
        answer = pair_loss(first, second, temperature=self.temperature, excused=again.to(first.device))
        return Loss(answer, torch.zeros(()))

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return how often the partner is the nearest text in the validation set."""
        vectors: Tensor | None = None
        for batch, output in outputs:
            if vectors is None:
                vectors = torch.zeros(len(self.valid), output.scores.shape[1])
            vectors[torch.from_numpy(batch.positions)] = output.scores.float().cpu()
        if vectors is None:
            return Judged({"partner_found": 0.0}, 0.0, (0.0, 0.0))
        half = len(self.valid) // 2
        first, second = vectors[:half], vectors[half:]
        loss = float(pair_loss(first, second, temperature=self.temperature))
        likeness = nn.functional.normalize(first, dim=1) @ nn.functional.normalize(second, dim=1).T
        own = torch.arange(half)
        share = float(((likeness.argmax(1) == own).float().mean() + (likeness.argmax(0) == own).float().mean()) / 2)
        return Judged({"partner_found": share}, loss, (share, -loss))


def pair_loss(first: Tensor, second: Tensor, *, temperature: float, excused: Tensor | None = None) -> Tensor:
    """Return the mean cross-entropy, over both directions, of each text choosing its partner by cosine.

    `excused` (batch, batch) marks wrong answers that are not wrong.
    """
    scores = nn.functional.normalize(first, dim=1) @ nn.functional.normalize(second, dim=1).T / temperature
    own = torch.arange(len(first), device=first.device)
    if excused is not None:
        scores = scores.masked_fill(excused & (own[:, None] != own), torch.finfo(scores.dtype).min)
    return (nn.functional.cross_entropy(scores, own) + nn.functional.cross_entropy(scores.T, own)) / 2


def _numbers_of_equal(features: Sequence[Features]) -> Positions:
    """Return a number for each text, the same for equal texts."""
    known: dict[bytes, int] = {}
    keys = [each.tobytes() for each in features]
    return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)
