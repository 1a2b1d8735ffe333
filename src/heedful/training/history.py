"""What happened in each epoch, and what a watcher is told while it happens."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class EpochRecord:
    """One line of history.jsonl."""

    epoch: int
    loss: float
    penalty: float
    valid_loss: float
    metrics: dict[str, float]  # on the validation set
    lr: float
    seconds: float
    texts_per_second: float
    padding: float
    is_best: bool
    is_kept: bool  # whether its weights were kept, then; the last such epoch is that of the model

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain values, with the metrics beside the others."""
        tree = asdict(self)
        del tree["metrics"]
        return tree | self.metrics

    def to_checkpoint(self) -> dict[str, Any]:
        """Return the record as it is in a checkpoint, where the metrics are called figures."""
        return {"figures" if name == "metrics" else name: value for name, value in asdict(self).items()}

    @classmethod
    def from_checkpoint(cls, tree: Mapping[str, Any]) -> EpochRecord:
        """Read the output of `to_checkpoint`."""
        return cls(**{"metrics" if name == "figures" else name: value for name, value in tree.items()})

    @property
    def figures(self) -> dict[str, float]:
        """The metrics. Deprecated: use `metrics`."""
        message = "EpochRecord.figures is deprecated and will be removed: use metrics"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return self.metrics


@dataclass(frozen=True)
class StepEvent:
    """Told after every step."""

    epoch: int
    n_epochs: int
    done: int  # texts of this epoch
    total: int
    loss: float
    texts_per_second: float
    seconds_left: float


@dataclass(frozen=True)
class EpochEvent:
    """Told after every epoch."""

    record: EpochRecord


@dataclass(frozen=True)
class ResumeEvent:
    """Told when training goes on from a checkpoint."""

    epoch: int  # epochs that were finished before
    best: EpochRecord | None


@dataclass(frozen=True)
class TeacherEvent:
    """Told while a teacher answers."""

    done: int  # texts
    total: int
    texts_per_second: float
    seconds_left: float


@dataclass(frozen=True)
class FitEvent:
    """Told while the head is fitted to the vectors of an encoder."""

    done: int  # fits
    total: int


@dataclass(frozen=True)
class NoteEvent:
    """Something worth a line: what was read, what was found, what is being done."""

    message: str


Event = StepEvent | EpochEvent | NoteEvent | TeacherEvent | FitEvent | ResumeEvent
Watcher = Callable[[Event], None]


def nobody(_: Event) -> None:
    """Watch nothing."""
