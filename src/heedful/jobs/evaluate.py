"""How good is a model on a file of examples with their answers?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from heedful.data.bad_rows import STRICT, Faults
from heedful.data.columns import Columns
from heedful.data.example import Example
from heedful.data.labels import label_numbers
from heedful.data.task_files import read_task_file
from heedful.errors import DataError, HeedfulError, listed
from heedful.jobs.training_row_warning import seen_warning
from heedful.runtime.model import Model
from heedful.tasks.classify.metrics import ClassificationFigures, figures_of_scores
from heedful.tasks.multilabel.metrics import ManyFigures, many_figures, truth_of
from heedful.tasks.regress.metrics import RegressionFigures, regression_figures


class Figures(Protocol):
    """What an evaluation finds."""

    @property
    def sentence(self) -> str:
        """The figures that its field uses, in a line."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""


# Tasks whose answers are compared in a way of their own. Each module has `evaluate(model, examples, path) -> Figures`.
HOMES = {
    "tag": "heedful.tasks.tag.evaluate",
    "pair": "heedful.tasks.pair.evaluate",
    "translate": "heedful.tasks.translate.evaluate",
}


def evaluate_file(
    model: Model,
    path: str | Path,
    *,
    text: str | None = None,
    label: str | None = None,
    faults: Faults = STRICT,
    note: Callable[[str], None] = lambda _: None,
) -> Figures:
    """Compare the model's answers with those of the file. `note` is told where the model was trained on its rows."""
    hints = Columns(model.config.data.text, model.config.data.label)
    asked = Columns(text, label)
    examples, _ = read_task_file(path, model.config, asked=asked, hints=hints, faults=faults)
    if model.config.input != "text":
        examples = _readable(model, examples, path, faults)
    if model.config.task in ("classify", "pair") and not (model.is_regressor or model.is_many):
        examples = _with_known_labels(model, examples, path, faults)
    if not examples:
        raise DataError(path, "no example is left to compare with")
    if warning := seen_warning(model, (e.text for e in examples), path):
        note(warning)
    if home := HOMES.get(model.config.task):
        return cast("Callable[..., Figures]", import_module(home).evaluate)(model, examples, path)
    return evaluate_examples(model, examples)


def evaluate_examples(
    model: Model, examples: Sequence[Example]
) -> ClassificationFigures | RegressionFigures | ManyFigures:
    """Compare the model's answers with these."""
    sources = [e.text for e in examples]
    if model.is_regressor:
        return regression_figures([float(e.label) for e in examples], model.predict(sources))
    found = model.predict_proba(sources)
    if model.is_many:
        return many_figures(truth_of([e.label for e in examples]), found.astype(float), model.labels)
    truth = label_numbers([e.label for e in examples], model.labels)
    return figures_of_scores(truth, found, model.labels)


def _with_known_labels(model: Model, examples: Sequence[Example], path: str | Path, faults: Faults) -> list[Example]:
    """Return the examples whose label the model can give; others are faults."""
    known, good = set(model.labels), []
    for example in examples:
        if example.label in known:
            good.append(example)
        else:
            said = f"label {example.label!r:.60} is unknown to this model, which knows: {listed(model.labels)}"
            faults.take(DataError(path, said, line=example.line))
    return good


def _readable(model: Model, examples: Sequence[Example], path: str | Path, faults: Faults) -> list[Example]:
    """Return the examples that numbers can be made of."""
    good = []
    for example in examples:
        try:
            model.featuriser.features(example.text)
        except HeedfulError as error:
            faults.take(DataError(path, str(error), line=example.line))
        else:
            good.append(example)
    return good
