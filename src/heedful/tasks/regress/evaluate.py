"""Metrics of a regressor on a file of examples."""

from __future__ import annotations

from collections.abc import Sequence

from heedful.data.example import Example
from heedful.data.table import Source
from heedful.runtime.scores import ScoringModel
from heedful.tasks.regress.metrics import RegressionMetrics, regression_metrics


def evaluate(model: ScoringModel, examples: Sequence[Example], path: Source = "") -> RegressionMetrics:
    """Compare the model's numbers with those of the examples."""
    del path
    return regression_metrics(
        [float(example.label) for example in examples], model.predict([example.text for example in examples])
    )
