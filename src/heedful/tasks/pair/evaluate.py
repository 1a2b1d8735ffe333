"""Metrics of a model of pairs on a file of examples."""

from __future__ import annotations

from collections.abc import Sequence

from heedful.data.example import Example
from heedful.data.table import Source
from heedful.tasks.classify.evaluate import evaluate as evaluate_labels
from heedful.tasks.classify.metrics import ClassificationMetrics
from heedful.tasks.pair.model import PairModel
from heedful.tasks.regress.evaluate import evaluate as evaluate_numbers
from heedful.tasks.regress.metrics import RegressionMetrics


def evaluate(
    model: PairModel, examples: Sequence[Example], path: Source = ""
) -> ClassificationMetrics | RegressionMetrics:
    """Compare the model's answers with the labels, or numbers, of the examples."""
    return (evaluate_numbers if model.answer.is_number else evaluate_labels)(model, examples, path)
