"""Span figures as conlleval has them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.tasks.tag.span_metrics import span_metrics
from heedful.tasks.tag.spans import Span, as_bio, is_bio, marks_spans, spans

CASES = {
    "O B-per I-per O": [("per", 1, 3)],
    "B-per B-per": [("per", 0, 1), ("per", 1, 2)],
    "O I-per I-per": [("per", 1, 3)],  # I without B begins a span
    "B-per I-loc": [("per", 0, 1), ("loc", 1, 2)],  # a change of kind begins another
    "I-per I-loc I-loc O I-loc": [("per", 0, 1), ("loc", 1, 3), ("loc", 4, 5)],
    "B-per I-per B-per I-per": [("per", 0, 2), ("per", 2, 4)],
    "I-per B-per": [("per", 0, 1), ("per", 1, 2)],
    "S-per S-per O": [("per", 0, 1), ("per", 1, 2)],
    "B-per I-per E-per I-per": [("per", 0, 3), ("per", 3, 4)],  # what ends has ended
    "E-per E-per": [("per", 0, 1), ("per", 1, 2)],
    "B-creative-work I-creative-work": [("creative-work", 0, 2)],
    "B I O I": [("", 0, 2), ("", 3, 4)],
    "O O": [],
    "": [],
}


@pytest.mark.parametrize("labels", CASES)
def test_spans_begin_and_end_as_in_conlleval(labels):
    assert spans(labels.split()) == [Span(*expected) for expected in CASES[labels]]


def test_a_label_that_is_not_known_marks_nothing():
    assert spans(["B-per", "", "I-per"]) == [("per", 0, 1), ("per", 2, 3)]
    assert as_bio(["B-per", "", "I-per", "O"]) == ("B-per", "", "B-per", "O")


@given(st.lists(st.sampled_from(["O", "B-a", "I-a", "B-b", "I-b"]), max_size=8))
def test_bio_marks_the_same_spans_and_begins_each_with_b(labels):
    tidy = as_bio(labels)
    assert spans(tidy) == spans(labels)
    assert as_bio(tidy) == tidy
    assert sum(label[0] == "B" for label in tidy) == len(spans(labels))


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["O", "B-per", "I-per"], True),
        (["O", "I-per"], True),
        (["O", "B", "I"], True),
        (["S-per", "E-per", "B-per"], True),
        (["NOUN", "VERB", "B-per"], False),
        (["O"], False),
        (["B", "I"], False),  # letters that are not about spans: nothing is ever outside
        ([], False),
    ],
)
def test_labels_of_spans_are_told_from_others(labels, expected):
    assert marks_spans(labels) is expected


def test_bio_has_no_other_marks():
    assert is_bio(["O", "B-per", "I-per"])
    assert not is_bio(["O", "B-per", "E-per"])
    assert not is_bio(["NOUN", "O"])


def test_figures_count_a_span_only_where_kind_and_ends_are_right():
    truth = [["B-per", "I-per", "O", "B-loc"], ["O", "B-per"], ["B-loc", "I-loc", "O"]]
    found = [["B-per", "I-per", "O", "B-per"], ["O", "I-per"], ["B-loc", "O", "O"]]
    # There are 4 spans; 4 are answered; right are the first per, and the per that begins with I.
    figures = span_metrics(truth, found)
    assert (figures.precision, figures.recall, figures.f1) == (0.5, 0.5, 0.5)
    assert figures.accuracy == pytest.approx(6 / 9)
    assert (figures.n_spans, figures.n_answered, figures.n_tokens) == (4, 4, 9)
    kinds = {kind.kind: (kind.precision, kind.recall, kind.f1, kind.support) for kind in figures.kinds}
    assert kinds["per"] == (pytest.approx(2 / 3), 1.0, pytest.approx(0.8), 2)
    assert kinds["loc"] == (0.0, 0.0, 0.0, 2)


def test_nothing_to_find_and_nothing_found_is_no_fault():
    figures = span_metrics([["O", "O"], []], [["O", "O"], []])
    assert (figures.f1, figures.accuracy, figures.kinds) == (0.0, 1.0, ())
    assert span_metrics([], []).to_dict()["f1"] == 0.0


def test_rows_of_different_length_are_refused():
    with pytest.raises(ValueError, match="shorter"):
        span_metrics([["O", "O"]], [["O"]])
