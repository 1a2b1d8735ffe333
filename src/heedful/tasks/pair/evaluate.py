"""How good is a model on pairs of texts with their answers?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from heedful.data.example import Example
from heedful.data.labels import label_numbers
from heedful.errors import DataError, listed
from heedful.tasks.classify.metrics import ClassificationFigures, figures_of_scores
from heedful.tasks.pair.model import PairModel
from heedful.tasks.regress.metrics import RegressionFigures, regression_figures


def evaluate(
    model: PairModel, examples: Sequence[Example], path: str | Path
) -> ClassificationFigures | RegressionFigures:
    """Compare the model's answers with the labels, or numbers, of a file."""
    pairs = [example.text for example in examples]
    if model.is_regressor:
        return regression_figures([float(example.label) for example in examples], model.predict(pairs))
    for example in examples:
        if example.label not in model.labels:
            said = f"label {example.label!r:.60} is unknown to this model, which knows: {listed(model.labels)}"
            raise DataError(path, said, line=example.line)
    truth = label_numbers([example.label for example in examples], model.labels)
    return figures_of_scores(truth, model.predict_proba(pairs), model.labels)
