"""BLEU and chrF."""

import math

import pytest

from heedful.errors import HeedfulError
from heedful.tasks.translate.metrics import translation_metrics


def test_the_truth_itself_has_100():
    found = translation_metrics(["Ein Mann sitzt im Boot.", "Zwei Hunde."], ["Ein Mann sitzt im Boot.", "Zwei Hunde."])
    assert found.bleu == pytest.approx(100.0)
    assert found.chrf == pytest.approx(100.0)
    assert found.n == 2


def test_bleu_by_hand():
    truth, answer = "a b c d e f g h", "a b c d x f g h"
    # of the answer's n-grams: 7 of 8 words, 5 of 7 pairs, 3 of 6 threes, 1 of 5 fours are in the truth; as long as it
    by_hand = 100 * math.exp(sum(math.log(share) for share in (7 / 8, 5 / 7, 3 / 6, 1 / 5)) / 4)
    assert translation_metrics([truth], [answer]).bleu == pytest.approx(by_hand, abs=1e-6)


def test_case_and_marks_count():
    found = translation_metrics(["Ein Mann, der still sitzt."], ["ein mann der still sitzt ."])
    assert found.bleu < 60.0
    assert "case:mixed" in found.signature
    assert "tok:13a" in found.signature
    assert f"BLEU {found.bleu:.2f}" in found.sentence
    assert found.to_dict()["n"] == 1


def test_numbers_of_texts_that_differ_are_refused():
    with pytest.raises(HeedfulError, match="found 1 translations of 2 texts"):
        translation_metrics(["a", "b"], ["a"])
    with pytest.raises(HeedfulError, match="no text"):
        translation_metrics([], [])
