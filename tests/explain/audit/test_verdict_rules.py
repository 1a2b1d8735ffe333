"""The verdict follows from intervals, not from taste."""

from __future__ import annotations

import pytest

from heedful.explain.audit.audit import Faithfulness
from heedful.explain.audit.verdict_rules import judge
from heedful.metrics.bootstrap import Interval
from heedful.show.audit.wording import ADVICE


def made(needed: Interval, enough: Interval, comprehensiveness: float = 0.41, sufficiency: float = 0.2) -> Faithfulness:
    means = [Interval(value, value, value) for value in (comprehensiveness, sufficiency)]
    return Faithfulness(means[0], means[1], needed, enough, (0.0,) * 5, (0.0,) * 5)


RANDOM = made(Interval(0, 0, 0), Interval(0, 0, 0), 0.12, 0.3)
ABOVE, AROUND, BELOW = Interval(0.2, 0.1, 0.3), Interval(0.01, -0.02, 0.04), Interval(-0.2, -0.3, -0.1)
WIDE = Interval(0.04, -0.05, 0.13)
TINY = Interval(0.01, 0.005, 0.015)


def verdict(needed, enough, *, flat=0.0, permutation=0.3, best=0.5):
    methods = {"attention": made(needed, enough), "random": RANDOM, "leave-one-out": made(ABOVE, ABOVE, best)}
    return judge(methods, tested_on="9 texts of x", share_flat=flat, permutation=permutation)


@pytest.mark.parametrize(
    ("needed", "enough", "level"),
    [
        (ABOVE, ABOVE, "better"),
        (ABOVE, AROUND, "better"),
        (ABOVE, BELOW, "barely"),
        (TINY, ABOVE, "barely"),
        (AROUND, ABOVE, "no better"),
        (WIDE, ABOVE, "unclear"),
        (BELOW, ABOVE, "worse"),
    ],
)
def test_the_level_is_that_of_the_intervals(needed, enough, level):
    assert verdict(needed, enough).level == level


def test_the_words_have_the_figures():
    words = verdict(ABOVE, ABOVE).words
    assert words.startswith("Attention finds the words that this model uses better than chance on 9 texts of x ")
    assert "(comprehensiveness 0.41 against 0.12 for random words, 0.50 for leave-one-out" in words


def test_a_model_that_uses_no_word_is_not_judged_by_noise():
    found = verdict(BELOW, BELOW, best=0.003)
    assert found.level == "no better"
    assert "hardly depend on any single word" in found.words


def test_too_few_texts_are_told_as_such():
    assert "More texts would tell" in verdict(WIDE, ABOVE).words


def test_numbers_below_0_have_a_true_minus_sign():
    methods = {"attention": made(ABOVE, ABOVE, 0.4, -0.06), "random": RANDOM}
    words = judge(methods, tested_on="x", share_flat=0.0, permutation=None).words
    assert "sufficiency −0.06 against" in words


def test_equal_weights_are_told_as_such():
    found = verdict(ABOVE, ABOVE, flat=0.8)
    assert found.level == "no better"
    assert "same weight" in found.words


def test_an_answer_that_does_not_move_is_told():
    found = verdict(ABOVE, ABOVE, permutation=0.001)
    assert "shuffled" in found.words and found.level == "barely"
    assert "shuffled" not in verdict(ABOVE, ABOVE, permutation=None).words


def test_words_that_the_answer_hardly_needs_are_no_reason_to_show_a_heatmap():
    """Better than random words for sure, and yet the answer stays nearly as probable without them."""
    sure = Interval(0.04, 0.03, 0.05)
    methods = {"attention": made(sure, sure, 0.05), "random": RANDOM, "leave-one-out": made(ABOVE, ABOVE, 0.5)}
    found = judge(methods, tested_on="9 texts of x", share_flat=0.0, permutation=0.3)
    assert found.level == "barely" and "nearly as probable" in found.words
    assert found.is_warning and "may be shown to others" not in ADVICE[found.level]
    assert "as a hint" in found.words
