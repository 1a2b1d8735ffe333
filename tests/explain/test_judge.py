"""The verdict follows from intervals, not from taste."""

from __future__ import annotations

import pytest

from heedful.explain.audit import Faithfulness
from heedful.explain.judge import judge
from heedful.metrics.bootstrap import Interval


def made(needed: Interval, enough: Interval, comprehensiveness: float = 0.41, sufficiency: float = 0.2) -> Faithfulness:
    means = [Interval(value, value, value) for value in (comprehensiveness, sufficiency)]
    return Faithfulness(means[0], means[1], needed, enough, (0.0,) * 5, (0.0,) * 5)


RANDOM = made(Interval(0, 0, 0), Interval(0, 0, 0), 0.12, 0.3)
ABOVE, AROUND, BELOW = Interval(0.2, 0.1, 0.3), Interval(0.01, -0.1, 0.1), Interval(-0.2, -0.3, -0.1)
TINY = Interval(0.01, 0.005, 0.015)


def verdict(needed, enough, *, flat=0.0, permutation=0.3):
    methods = {"attention": made(needed, enough), "random": RANDOM, "leave-one-out": made(ABOVE, ABOVE, 0.5)}
    return judge(methods, tested_on="9 texts of x", share_flat=flat, permutation=permutation)


@pytest.mark.parametrize(
    ("needed", "enough", "level"),
    [
        (ABOVE, ABOVE, "better"),
        (ABOVE, AROUND, "better"),
        (ABOVE, BELOW, "barely"),
        (TINY, ABOVE, "barely"),
        (AROUND, ABOVE, "no better"),
        (BELOW, ABOVE, "worse"),
    ],
)
def test_the_level_is_that_of_the_intervals(needed, enough, level):
    assert verdict(needed, enough).level == level


def test_the_words_have_the_figures():
    words = verdict(ABOVE, ABOVE).words
    assert words.startswith("Attention finds the words that this model uses better than chance on 9 texts of x ")
    assert "(comprehensiveness 0.41 against 0.12 for random words, 0.50 for leave-one-out" in words


def test_equal_weights_are_told_as_such():
    found = verdict(ABOVE, ABOVE, flat=0.8)
    assert found.level == "no better"
    assert "same weight" in found.words


def test_an_answer_that_does_not_move_is_told():
    assert "shuffled" in verdict(ABOVE, ABOVE, permutation=0.001).words
    assert "shuffled" not in verdict(ABOVE, ABOVE, permutation=None).words
