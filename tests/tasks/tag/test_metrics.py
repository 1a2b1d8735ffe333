"""Figures for a label on each token."""

import pytest

from heedful.tasks.tag.metrics import NOT_READ, TokenMetrics, tag_metrics
from heedful.tasks.tag.span_metrics import SpanMetrics


def test_labels_that_mark_no_spans_are_compared_token_by_token():
    figures = tag_metrics([["N", "V"], ["N", ""]], [("N", "N"), ("N", "V")], ["N", "V"])
    assert isinstance(figures, TokenMetrics)
    assert figures.accuracy == pytest.approx(2 / 3)  # the token whose truth is not known is not compared
    assert figures.confusion.tolist() == [[2, 0], [1, 0]]
    assert figures.sentence.endswith("3 tokens")


def test_labels_of_spans_are_compared_by_spans():
    figures = tag_metrics([["B-a", "I-a", "O"]], [("B-a", "I-a", "B-a")], ["B-a", "I-a", "O"])
    assert isinstance(figures, SpanMetrics)
    assert (figures.precision, figures.recall) == (0.5, 1.0)


def test_a_span_where_the_truth_is_not_known_is_not_counted():
    figures = tag_metrics([["B-a", ""]], [("B-a", "B-a")], ["B-a", "I-a", "O"])
    assert (figures.precision, figures.recall) == (1.0, 1.0)


def test_what_was_cut_off_is_wrong():
    figures = tag_metrics([["N", "N", "V"]], [("N",)], ["N", "V"])
    assert figures.accuracy == pytest.approx(1 / 3)
    assert figures.classes[-1].label == NOT_READ
    assert tag_metrics([["B-a", "B-a"]], [("B-a",)], ["B-a", "O"]).recall == 0.5


def test_a_label_that_the_model_does_not_know_is_never_right():
    figures = tag_metrics([["N", "X"]], [("N", "N")], ["N", "V"])
    assert figures.accuracy == 0.5
    assert [c.label for c in figures.classes] == ["N", "V", "X"]
