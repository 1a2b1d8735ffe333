"""The meaning of a model's scores: one label, several labels, or a number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from heedful.errors import InputError
from heedful.runtime.softmax import sigmoid, softmax
from heedful.store.unit import Unit, display_number

Values = NDArray[Any]


class AnswerForms(NamedTuple):
    """One answer in the forms that files, programs and terminals ask for."""

    cells: dict[str, Any]  # columns beside the input's own, in a file
    values: dict[str, Any]  # all values, for JSON
    line: str  # for a terminal, before the input itself
    block: str | None = None  # lines for a terminal, if the answer repeats its input


class Answer(Protocol):
    """The meaning of scores."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels; of a number, its name."""

    @property
    def unit(self) -> Unit:
        """The unit of a number; of labels, the unit of their scores."""

    dtype: ClassVar[Any]  # of scores in their unit
    is_number: ClassVar[bool]
    has_one_label: ClassVar[bool]

    def values(self, scores: Values) -> Values:
        """Return probabilities (…, label), or numbers, of scores in their unit."""

    def decide(self, row: Values) -> Any:
        """Return the answer: a label, a tuple of labels, a number."""

    def ranked(self, row: Values, n: int) -> list[tuple[str, float]]:
        """Return the `n` most probable labels with their probabilities."""

    def forms(self, row: Values) -> AnswerForms:
        """Return the answer in all its forms, by its values (label,)."""

    def __str__(self) -> str: ...


@dataclass(frozen=True)
class OneLabel:
    """One label of several, with probabilities that sum to 1."""

    labels: tuple[str, ...]
    unit: Unit = field(default_factory=Unit)
    dtype: ClassVar[Any] = np.float32
    is_number: ClassVar[bool] = False
    has_one_label: ClassVar[bool] = True

    def values(self, scores: Values) -> Values:
        """Return probabilities."""
        return softmax(scores)

    def decide(self, row: Values) -> str:
        """Return the most probable label."""
        return self.labels[int(row.argmax())]

    def ranked(self, row: Values, n: int) -> list[tuple[str, float]]:
        """Return the `n` most probable labels with their probabilities."""
        return ranked(self.labels, row, n)

    def forms(self, row: Values) -> AnswerForms:
        """Return the label and its probability."""
        best = int(row.argmax())
        label = self.labels[best]
        probabilities = {name: round(float(p), 6) for name, p in zip(self.labels, row, strict=True)}
        cells = {"predicted": label, "probability": round(float(row[best]), 6)}
        return AnswerForms(cells, {"label": label, "probabilities": probabilities}, f"{label}\t{row[best]:.3f}")

    def __str__(self) -> str:
        return f"{len(self.labels)} labels"


@dataclass(frozen=True)
class ManyLabels:
    """Any number of labels, each with a probability of its own."""

    labels: tuple[str, ...]
    unit: Unit = field(default_factory=Unit)
    dtype: ClassVar[Any] = np.float32
    is_number: ClassVar[bool] = False
    has_one_label: ClassVar[bool] = False

    def values(self, scores: Values) -> Values:
        """Return the probability of each label."""
        return sigmoid(scores)

    def decide(self, row: Values) -> tuple[str, ...]:
        """Return the labels that are more probable than not."""
        return tuple(name for name, p in zip(self.labels, row, strict=True) if p > 0.5)

    def ranked(self, row: Values, n: int) -> list[tuple[str, float]]:
        """Return the `n` most probable labels with their probabilities."""
        return ranked(self.labels, row, n)

    def forms(self, row: Values) -> AnswerForms:
        """Return the labels and the probability of each."""
        probabilities = {name: round(float(p), 6) for name, p in zip(self.labels, row, strict=True)}
        chosen = [name for name, p in probabilities.items() if p > 0.5]
        line = ", ".join(f"{name} {probabilities[name]:.2f}" for name in chosen) or "none"
        cells = {"predicted": ",".join(chosen), **{f"p({name})": p for name, p in probabilities.items()}}
        return AnswerForms(cells, {"labels": chosen, "probabilities": probabilities}, line)

    def __str__(self) -> str:
        return f"{len(self.labels)} labels, any number of them"


@dataclass(frozen=True)
class Number:
    """A number. Its scores are in the unit of the training data."""

    labels: tuple[str, ...]  # its name
    unit: Unit = field(default_factory=Unit)
    dtype: ClassVar[Any] = np.float64  # a number may need more digits than a score
    is_number: ClassVar[bool] = True
    has_one_label: ClassVar[bool] = False

    def values(self, scores: Values) -> Values:
        """Return the numbers themselves."""
        return scores

    def decide(self, row: Values) -> float:
        """Return the number."""
        return float(row[0])

    def ranked(self, row: Values, n: int) -> list[tuple[str, float]]:
        """Raise: a number has no labels."""
        del row, n
        raise InputError("top is for labels; this model answers with a number")

    def forms(self, row: Values) -> AnswerForms:
        """Return the number."""
        value = float(row[0])
        return AnswerForms({"predicted": value}, {self.labels[0]: value}, display_number(value))

    def __str__(self) -> str:
        return f"a number ({self.labels[0]})"


def ranked(labels: tuple[str, ...], row: Values, n: int) -> list[tuple[str, float]]:
    """Return the labels with the largest values, those first."""
    if n < 1:
        raise InputError(f"top is {n}, expected at least 1")
    return [(labels[i], float(row[i])) for i in np.argsort(-row, kind="stable")[:n]]


ANSWERS: dict[str, type[OneLabel | ManyLabels | Number]] = {"label": OneLabel, "labels": ManyLabels, "number": Number}
