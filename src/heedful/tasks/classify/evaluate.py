"""Metrics of a classifier on a file of examples."""

from __future__ import annotations

from collections.abc import Sequence

from heedful.data.example import Example
from heedful.data.labels import label_numbers
from heedful.data.table import Source
from heedful.runtime.scores import ScoringModel
from heedful.tasks.classify.metrics import ClassificationMetrics, metrics_of_scores


def evaluate(model: ScoringModel, examples: Sequence[Example], path: Source = "") -> ClassificationMetrics:
    """Compare the model's labels with those of the examples."""
    del path
    truth = label_numbers([example.label for example in examples], model.labels)
    return metrics_of_scores(truth, model.predict_proba([example.text for example in examples]), model.labels)
