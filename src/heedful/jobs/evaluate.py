"""Metrics of a model on a file of labelled examples: `heedful evaluate`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.columns import Columns
from heedful.data.example import Example
from heedful.data.features import Featurised, source_of
from heedful.data.task_files import read_task_file
from heedful.errors import DataError, HeedfulError, listed
from heedful.jobs.training_row_warning import seen_warning
from heedful.lazy import imported
from heedful.runtime.model import Model


class Figures(Protocol):
    """The result of an evaluation."""

    @property
    def sentence(self) -> str:
        """The usual metrics of the task, in a line."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""


def evaluate_file(
    model: Model,
    path: str | Path,
    *,
    text: str | None = None,
    label: str | None = None,
    faults: BadRows = STRICT,
    on_note: Callable[[str], None] = lambda _: None,
) -> Figures:
    """Compare the model's predictions with a file. `on_note` gets a warning if rows of it were in the training data."""
    hints = Columns(model.config.data.text, model.config.data.label)
    asked = Columns(text, label)
    examples, _ = read_task_file(path, model.config, asked=asked, hints=hints, faults=faults)
    examples = _readable(model, examples, path, faults)
    if model.answer and model.answer.has_one_label:
        examples = _with_known_labels(model, examples, path, faults)
    if not examples:
        raise DataError(path, "no usable example is left")
    if warning := seen_warning(model, (source_of(e.text) for e in examples), path):
        on_note(warning)
    metrics: Figures = evaluate_examples(model, examples, path)
    return metrics


def evaluate_examples(model: Model, examples: Sequence[Example], path: str | Path = "") -> Any:
    """Return the metrics of the model's task on these examples."""
    if not model.task.evaluate:
        raise HeedfulError(f"{model.path.name} {model.does}: there are no answers to compare")
    return imported(model.task.evaluate)(model, examples, path)


def _with_known_labels(model: Model, examples: Sequence[Example], path: str | Path, faults: BadRows) -> list[Example]:
    """Return the examples whose label the model knows; others are faults."""
    known, good = set(model.labels), []
    for example in examples:
        if example.label in known:
            good.append(example)
        else:
            problem = f"label {example.label!r:.60} is unknown to this model, which knows: {listed(model.labels)}"
            faults.take(DataError(path, problem, line=example.line))
    return good


def _readable(model: Model, examples: Sequence[Example], path: str | Path, faults: BadRows) -> list[Example]:
    """Return the examples with their features; those that cannot be featurised are faults. Texts always can."""
    if model.input.is_text:
        return list(examples)
    good = []
    for example in examples:
        try:
            good.append(replace(example, text=Featurised(example.text, model.featuriser.features(example.text))))
        except HeedfulError as error:
            faults.take(DataError(path, str(error), line=example.line))
    return good
