"""Metrics of a model on a file of labelled examples: `heedful evaluate`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, overload

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.columns import Columns
from heedful.data.example import Example
from heedful.data.features import Featurised, source_of
from heedful.data.memory import as_source
from heedful.data.table import Data, Source, Table
from heedful.data.task_files import read_task_file
from heedful.errors import DataError, HeedfulError, listed
from heedful.jobs.training_row_warning import seen_warning
from heedful.lazy import imported
from heedful.runtime.model import Model, as_model

if TYPE_CHECKING:
    from heedful.tasks.classify.metrics import ClassificationMetrics
    from heedful.tasks.classify.model import Classifier
    from heedful.tasks.multilabel.metrics import MultilabelMetrics
    from heedful.tasks.multilabel.model import MultilabelClassifier
    from heedful.tasks.regress.metrics import RegressionMetrics
    from heedful.tasks.regress.model import Regressor
    from heedful.tasks.translate.metrics import TranslationMetrics
    from heedful.tasks.translate.model import Translator


class Figures(Protocol):
    """The result of an evaluation."""

    @property
    def sentence(self) -> str:
        """The usual metrics of the task, in a line."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""


Notes = Callable[[str], None]


@overload
def evaluate(
    model: Classifier, data: Data, *, text: str | None = ..., label: str | None = ..., on_note: Notes | None = ...
) -> ClassificationMetrics: ...
@overload
def evaluate(
    model: MultilabelClassifier,
    data: Data,
    *,
    text: str | None = ...,
    label: str | None = ...,
    on_note: Notes | None = ...,
) -> MultilabelMetrics: ...
@overload
def evaluate(
    model: Regressor, data: Data, *, text: str | None = ..., label: str | None = ..., on_note: Notes | None = ...
) -> RegressionMetrics: ...
@overload
def evaluate(
    model: Translator, data: Data, *, text: str | None = ..., label: str | None = ..., on_note: Notes | None = ...
) -> TranslationMetrics: ...
@overload
def evaluate(
    model: str | Path | Model,
    data: Data,
    *,
    text: str | None = ...,
    label: str | None = ...,
    on_note: Notes | None = ...,
) -> Figures: ...
def evaluate(
    model: str | Path | Model,
    data: Data,
    *,
    text: str | None = None,
    label: str | None = None,
    on_note: Notes | None = None,
) -> Figures:
    """Compare a model's answers with labelled data.

    Args:
        model: a model, or the path of its folder.
        data: path of a file, (texts, labels), a list of dicts, a DataFrame, an Arrow table or a dataset.
        text: name of the text column; by default that of the training data.
        label: name of the label column; by default that of the training data.
        on_note: called with a warning if rows of the data were in the training data; by default it is a UserWarning.

    Returns:
        The metrics of the task, such as `accuracy` and `macro_f1` of a classifier. Printed, they are a table.

    Raises:
        DataError: if a row cannot be read, or has a label that the model does not know.

    Example:
        >>> import heedful
        >>> heedful.evaluate("model", "test.csv").accuracy
        1.0
    """
    source = as_source(data)
    if isinstance(source, Table):
        text, label = text or source.text, label or source.label
    return evaluate_file(as_model(model), source, text=text, label=label, on_note=on_note or warn)


def warn(message: str) -> None:
    """Issue a UserWarning that points at the caller's line."""
    warnings.warn(message.removeprefix("warning: "), UserWarning, stacklevel=4)


def evaluate_file(
    model: Model,
    path: Source,
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


def evaluate_examples(model: Model, examples: Sequence[Example], path: Source = "") -> Any:
    """Return the metrics of the model's task on these examples."""
    if not model.task.evaluate:
        raise HeedfulError(f"{model.path.name} {model.does}: there are no answers to compare")
    return imported(model.task.evaluate)(model, examples, path)


def _with_known_labels(model: Model, examples: Sequence[Example], path: Source, faults: BadRows) -> list[Example]:
    """Return the examples whose label the model knows; others are faults."""
    known, good = set(model.labels), []
    for example in examples:
        if example.label in known:
            good.append(example)
        else:
            problem = f"label {example.label!r:.60} is unknown to this model, which knows: {listed(model.labels)}"
            faults.take(DataError(path, problem, line=example.line))
    return good


def _readable(model: Model, examples: Sequence[Example], path: Source, faults: BadRows) -> list[Example]:
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
