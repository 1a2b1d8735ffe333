"""Processes that train one network together: each takes its part of every batch, and all have the same weights.

Gradients are summed, not averaged by process: with each part weighed by what it holds, the sum is the gradient of the
whole batch, as one process would have it. torch's DistributedDataParallel would take the mean of the processes, which
is another loss where parts are not equal, and it does not know sparse rows; see docs/decisions/0010.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from heedful.data.batch import Batch
from heedful.errors import TrainingError
from heedful.training.goal import Judged
from heedful.training.loop.loss import Loss

Positions = NDArray[np.int64]


class LeftAloneError(TrainingError):
    """Another process of the group is gone."""


class Seen(NamedTuple):
    """What a step saw. Between processes, `answer` and `penalty` are sums; for the loop they are means."""

    texts: float = 0.0
    mass: float = 0.0  # what the answer's mean is over
    answer: float = 0.0
    penalty: float = 0.0
    cells: float = 0.0
    tokens: float = 0.0

    @classmethod
    def of(cls, loss: Loss, batch: Batch, texts: int) -> Seen:
        """Return what a part of a step saw, with its means."""
        mass = float(loss.mass) if loss.mass is not None else float(texts)
        answer, penalty = float(loss.answer.detach()), float(loss.penalty.detach())
        return cls(texts, mass, answer, penalty, batch.cells, float(batch.lengths.sum()))

    def as_sums(self) -> Seen:
        """Return the same with sums."""
        return self._replace(answer=self.answer * self.mass, penalty=self.penalty * self.texts)

    def as_means(self) -> Seen:
        """Return the same with means."""
        return self._replace(answer=self.answer / max(self.mass, 1e-12), penalty=self.penalty / max(self.texts, 1e-12))


class Group(Protocol):
    """What the loop asks of the others."""

    rank: int
    size: int

    @property
    def is_first(self) -> bool:
        """Whether this process writes and shows progress."""

    def part(self, positions: Positions) -> Positions:
        """Return this process's part of a batch; texts stand there by length, so parts are alike."""

    def summed(self, seen: Seen) -> Sequence[float]:
        """Return the sums over all processes, for what one saw in means."""

    def sum_gradients(self, parameters: Sequence[Tensor], sparse: Sequence[Tensor]) -> None:
        """Give every process the sum of the gradients of all."""

    def any(self, flag: bool) -> bool:
        """Return whether one of them says so."""

    def same_weights(self, network: nn.Module) -> None:
        """Give all the weights of the first."""

    def judged(self, judge: Callable[[], Judged]) -> Judged:
        """Let the first judge, and tell the others."""

    def bytes_of_first(self, content: bytes | None) -> bytes | None:
        """Give all what the first has."""


class Alone:
    """A group of one: what everybody has who does not ask for more."""

    rank, size, is_first = 0, 1, True

    def part(self, positions: Positions) -> Positions:
        """Return all of it."""
        return positions

    def summed(self, seen: Seen) -> Sequence[float]:
        """Return what was seen."""
        return seen.as_sums()

    def sum_gradients(self, parameters: Sequence[Tensor], sparse: Sequence[Tensor]) -> None:
        """Leave them."""

    def any(self, flag: bool) -> bool:
        """Return the flag."""
        return flag

    def same_weights(self, network: nn.Module) -> None:
        """Leave them."""

    def judged(self, judge: Callable[[], Judged]) -> Judged:
        """Judge."""
        return judge()

    def bytes_of_first(self, content: bytes | None) -> bytes | None:
        """Return them."""
        return content


ALONE: Group = Alone()
