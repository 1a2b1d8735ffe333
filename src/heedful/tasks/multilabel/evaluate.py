"""Metrics of a multilabel classifier on a file of examples."""

from __future__ import annotations

from collections.abc import Sequence

from heedful.data.example import Example
from heedful.data.table import Source
from heedful.runtime.scores import ScoringModel
from heedful.tasks.multilabel.metrics import MultilabelMetrics, multilabel_metrics, truth_of


def evaluate(model: ScoringModel, examples: Sequence[Example], path: Source = "") -> MultilabelMetrics:
    """Compare the model's labels with those of the examples."""
    del path
    probabilities = model.predict_proba([example.text for example in examples]).astype(float)
    return multilabel_metrics(truth_of([example.label for example in examples]), probabilities, model.labels)
