"""Figures for a label on each token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from heedful.data.labels import label_numbers
from heedful.tasks.classify.metrics import ClassificationFigures, classification_figures
from heedful.tasks.tag.span_metrics import SpanFigures, span_figures
from heedful.tasks.tag.spans import OUTSIDE, marks_spans

NOT_READ = "(not read)"  # what a token is called that was cut off


@dataclass(frozen=True)
class TokenFigures(ClassificationFigures):
    """How a tagger did: `confusion[i, j]` counts tokens of label i that were called j."""

    @property
    def sentence(self) -> str:
        """The figures in a line."""
        return f"accuracy {self.accuracy:.4f}   macro F1 {self.macro_f1:.3f}   {self.n:,} tokens"


def tag_figures(
    truths: Sequence[Sequence[str]], answers: Sequence[Sequence[str]], labels: Sequence[str]
) -> SpanFigures | TokenFigures:
    """Compare the labels of texts: by spans where `labels`, those of the model, mark spans, else by tokens.

    A token whose truth is empty is not compared; one without an answer was cut off, and is wrong.
    """
    has_spans = marks_spans(labels)
    found = [
        _filled(answer, len(truth), OUTSIDE if has_spans else NOT_READ)
        for truth, answer in zip(truths, answers, strict=True)
    ]
    if has_spans:
        known = [[a or OUTSIDE for a in truth] for truth in truths]
        said = [[a if t else OUTSIDE for t, a in zip(*pair, strict=True)] for pair in zip(truths, found, strict=True)]
        return span_figures(known, said)
    pairs = [(t, a) for pair in zip(truths, found, strict=True) for t, a in zip(*pair, strict=True) if t]
    every = [*labels, *sorted({label for pair in pairs for label in pair} - set(labels))]
    truth, answer = (label_numbers([pair[side] for pair in pairs], every) for side in (0, 1))
    figures = classification_figures(truth, answer, every)
    return TokenFigures(**{field.name: getattr(figures, field.name) for field in fields(figures)})


def _filled(answer: Sequence[str], n: int, rest: str) -> list[str]:
    return [*answer[:n], *[rest] * (n - len(answer))]
