"""An answer in the forms that people and programs ask for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import NDArray

from heedful.runtime.checked_inputs import sigmoid, softmax
from heedful.store.unit import shown_number

if TYPE_CHECKING:
    from heedful.runtime.model import Model


class Answer(NamedTuple):
    """One answer."""

    cells: dict[str, Any]  # columns beside the input's own, in a file
    values: dict[str, Any]  # all there is to say, for JSON
    line: str  # for a terminal, before the input itself
    block: str | None = None  # lines for a terminal, where an answer says its input too


def plain_answers(model: Model, sources: Sequence[Any]) -> list[Answer]:
    """Return the answers of a model that gives each input a label, many labels, or a number."""
    return answers_of_scores(model, model.scores(sources))


def answers_of_scores(model: Model, scores: NDArray[Any]) -> list[Answer]:
    """Return the answers that scores (input, label) stand for."""
    if model.is_regressor:
        return [_number(model.labels[0], float(row[0])) for row in scores]
    rows, of_row = (sigmoid(scores), _many) if model.is_many else (softmax(scores), _label)
    return [of_row(model.labels, row) for row in rows]


def _number(name: str, value: float) -> Answer:
    return Answer({"predicted": value}, {name: value}, shown_number(value))


def _label(labels: Sequence[str], row: Any) -> Answer:
    best = int(row.argmax())
    probabilities = {name: round(float(p), 6) for name, p in zip(labels, row, strict=True)}
    cells = {"predicted": labels[best], "probability": round(float(row[best]), 6)}
    return Answer(cells, {"label": labels[best], "probabilities": probabilities}, f"{labels[best]}\t{row[best]:.3f}")


def _many(labels: Sequence[str], row: Any) -> Answer:
    probabilities = {name: round(float(p), 6) for name, p in zip(labels, row, strict=True)}
    found = [name for name, p in probabilities.items() if p > 0.5]
    shown = ", ".join(f"{name} {probabilities[name]:.2f}" for name in found) or "none"
    cells = {"predicted": ",".join(found), **{f"p({name})": p for name, p in probabilities.items()}}
    return Answer(cells, {"labels": found, "probabilities": probabilities}, shown)
