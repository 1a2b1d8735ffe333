"""How good is a model on a file of labelled texts?"""

from __future__ import annotations

from pathlib import Path

from heedful.data.columns import Columns
from heedful.data.example import Example
from heedful.data.featurise import label_numbers
from heedful.data.read import read_examples
from heedful.errors import DataError
from heedful.metrics.classify import ClassificationFigures, classification_figures
from heedful.metrics.regress import RegressionFigures, regression_figures
from heedful.runtime.model import Model


def evaluate_file(
    model: Model, path: str | Path, *, text: str | None = None, label: str | None = None
) -> ClassificationFigures | RegressionFigures:
    """Compare the model's answers with the file's labels, or numbers."""
    hints = Columns(model.config.data.text, model.config.data.label)
    if model.is_regressor:
        numbered = read_examples(path, text=text, label=label, hints=hints, numbers=True)
        return regression_figures([float(e.label) for e in numbered], model.predict([e.text for e in numbered]))
    examples = read_examples(path, text=text, label=label, hints=hints)
    strange = sorted({e.label for e in examples} - set(model.labels))
    if strange:
        known = ", ".join(model.labels[:20])
        raise DataError(path, f"label {strange[0]!r} is unknown to this model, which knows: {known}")
    return evaluate_examples(model, examples)


def evaluate_examples(model: Model, examples: list[Example]) -> ClassificationFigures:
    """Compare the model's answers with these labels."""
    answers = model.predict_proba([e.text for e in examples]).argmax(1)
    return classification_figures(label_numbers([e.label for e in examples], model.labels), answers, model.labels)
