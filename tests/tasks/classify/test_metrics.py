import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score, precision_recall_fscore_support

from heedful.tasks.classify.metrics import classification_metrics

LABELS = ["a", "b", "c", "d"]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40))
def test_figures_are_those_of_scikit_learn(pairs):
    truth, answer = np.array(pairs).T
    figures = classification_metrics(truth, answer, LABELS)
    assert figures.accuracy == pytest.approx(accuracy_score(truth, answer))
    assert figures.macro_f1 == pytest.approx(f1_score(truth, answer, average="macro", zero_division=0))
    np.testing.assert_array_equal(figures.confusion, confusion_matrix(truth, answer, labels=range(4)))
    each = precision_recall_fscore_support(truth, answer, labels=range(4), zero_division=0)
    ours = np.array([(c.precision, c.recall, c.f1, c.support) for c in figures.classes]).T
    np.testing.assert_allclose(ours, each)
    assert [c.label for c in figures.classes] == LABELS
    assert figures.n == len(pairs)


def test_figures_by_hand():
    figures = classification_metrics(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), ["no", "yes"])
    assert figures.confusion.tolist() == [[1, 1], [0, 2]]
    assert figures.accuracy == 0.75
    no, yes = figures.classes
    assert (no.precision, no.recall, no.f1) == pytest.approx((1, 1 / 2, 2 / 3))
    assert (yes.precision, yes.recall, yes.f1) == pytest.approx((2 / 3, 1, 4 / 5))
    assert figures.macro_f1 == pytest.approx((2 / 3 + 4 / 5) / 2)


def test_a_label_that_never_occurs_is_left_out_of_the_mean():
    figures = classification_metrics(np.array([0, 1]), np.array([0, 1]), LABELS)
    assert figures.classes[3].f1 == 0.0
    assert figures.macro_f1 == 1.0


def test_no_texts_give_zeros_and_not_nan():
    none = np.array([], dtype=np.int64)
    figures = classification_metrics(none, none, LABELS)
    assert (figures.accuracy, figures.macro_f1, figures.n) == (0.0, 0.0, 0)


def test_figures_go_to_json():
    figures = classification_metrics(np.array([0, 1, 1]), np.array([0, 1, 0]), ["a", "b"])
    tree = json.loads(json.dumps(figures.to_dict()))
    assert tree["confusion"] == [[1, 0], [1, 1]]
    assert tree["classes"][1] == {
        "label": "b",
        "precision": 1.0,
        "recall": 0.5,
        "f1": pytest.approx(2 / 3),
        "support": 2,
    }
    assert tree["n"] == 3
