"""Metrics of a regressor on a file of examples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from heedful.data.example import Example
from heedful.runtime.scores import ScoringModel
from heedful.tasks.regress.metrics import RegressionMetrics, regression_metrics


def evaluate(model: ScoringModel, examples: Sequence[Example], path: str | Path = "") -> RegressionMetrics:
    """Compare the model's numbers with those of the examples."""
    del path
    return regression_metrics(
        [float(example.label) for example in examples], model.predict([example.text for example in examples])
    )
