"""Intervals of a mean."""

import numpy as np
import pytest

from heedful.metrics.bootstrap import interval
from heedful.metrics.correlation import kendall


def test_the_interval_holds_the_mean_and_is_as_wide_as_theory_says():
    values = np.random.default_rng(0).normal(3.0, 2.0, size=400)
    found = interval(values)
    assert found.mean == pytest.approx(values.mean())
    assert found.low < found.mean < found.high
    assert found.high - found.low == pytest.approx(2 * 1.96 * values.std() / 20, rel=0.1)


def test_the_true_mean_is_inside_about_19_times_in_20():
    rng = np.random.default_rng(1)
    found = [interval(rng.exponential(1.0, size=100), seed=i) for i in range(200)]
    assert 0.88 <= np.mean([one.low <= 1.0 <= one.high for one in found]) <= 0.99


def test_values_that_are_all_equal_have_no_width():
    found = interval([0.25] * 30)
    assert (found.mean, found.low, found.high) == (0.25, 0.25, 0.25)


def test_no_values_have_no_mean():
    assert np.isnan(interval([]).mean)


def test_kendall_is_scipys_with_and_without_ties():
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(2)
    for n, values in ((2, 5), (17, 100), (40, 4), (300, 1000)):
        a, b = rng.integers(0, values, n) / 7, rng.integers(0, values, n) / 3
        if np.ptp(a) and np.ptp(b):
            assert kendall(a, b) == pytest.approx(stats.kendalltau(a, b).statistic, abs=1e-12)


def test_kendall_of_equal_values_is_0():
    assert kendall([1, 1, 1], [1, 2, 3]) == 0.0
