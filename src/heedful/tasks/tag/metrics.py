"""Metrics of taggers, by span or by token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar

from heedful.data.labels import label_numbers
from heedful.tasks.classify.metrics import ClassificationMetrics, classification_metrics
from heedful.tasks.tag.span_metrics import SpanMetrics, span_metrics
from heedful.tasks.tag.spans import OUTSIDE, marks_spans

NOT_READ = "(not read)"  # the label of a truncated token


@dataclass(frozen=True, repr=False)
class TokenMetrics(ClassificationMetrics):
    """Metrics of a tagger whose labels are not spans. Printed, they are a table.

    Attributes:
        accuracy: share of right answers.
        macro_f1: mean of the F1 of all labels.
        classes: precision, recall, F1 and support of each label.
        confusion: `confusion[i, j]` counts tokens of label i predicted as j.
        n: number of tokens.
        roc_auc: None.

    Example:
        >>> from heedful.tasks.tag.metrics import tag_metrics
        >>> tag_metrics([["noun", "verb"]], [["noun", "noun"]], ["noun", "verb"]).accuracy
        0.5
    """

    counts_tokens: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """The metrics on one line."""
        return f"accuracy {self.accuracy:.4f}   macro F1 {self.macro_f1:.3f}   {self.n:,} tokens"


def tag_metrics(
    truths: Sequence[Sequence[str]], answers: Sequence[Sequence[str]], labels: Sequence[str]
) -> SpanMetrics | TokenMetrics:
    """Compare the labels of texts: by spans if `labels`, those of the model, mark spans, else by tokens.

    A token without a true label is ignored; a token without a prediction was truncated and counts as wrong.
    """
    has_spans = marks_spans(labels)
    predicted = [
        _filled(answer, len(truth), OUTSIDE if has_spans else NOT_READ)
        for truth, answer in zip(truths, answers, strict=True)
    ]
    if has_spans:
        known = [[a or OUTSIDE for a in truth] for truth in truths]
        compared = [
            [a if t else OUTSIDE for t, a in zip(*pair, strict=True)] for pair in zip(truths, predicted, strict=True)
        ]
        return span_metrics(known, compared)
    pairs = [(t, a) for pair in zip(truths, predicted, strict=True) for t, a in zip(*pair, strict=True) if t]
    every = [*labels, *sorted({label for pair in pairs for label in pair} - set(labels))]
    truth, answer = (label_numbers([pair[side] for pair in pairs], every) for side in (0, 1))
    metrics = classification_metrics(truth, answer, every)
    return TokenMetrics(**{field.name: getattr(metrics, field.name) for field in fields(metrics)})


def _filled(answer: Sequence[str], n: int, rest: str) -> list[str]:
    return [*answer[:n], *[rest] * (n - len(answer))]
