"""Spearman's rank correlation is scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from heedful.metrics.correlation import spearman

some_ties = st.integers(-3, 3).map(float)
no_ties = st.floats(-1e6, 1e6, allow_subnormal=False)


@st.composite
def two_lists(draw):
    n = draw(st.integers(2, 30))
    value = draw(st.sampled_from([some_ties, no_ties]))
    return [draw(st.lists(value, min_size=n, max_size=n)) for _ in range(2)]


@given(two_lists())
def test_it_is_scipys_with_ties_and_without(lists):
    first, second = lists
    found = spearman(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found == 0.0  # scipy gives NaN
    else:
        assert found == pytest.approx(spearmanr(first, second).statistic, abs=1e-9)


@given(two_lists())
def test_only_the_order_counts(lists):
    first, second = np.array(lists[0]), np.array(lists[1])
    assert spearman(first, second) == pytest.approx(spearman(second, first), abs=1e-12)
    assert spearman(-first, second) == pytest.approx(-spearman(first, second), abs=1e-12)
    assert -1 - 1e-12 <= spearman(first, second) <= 1 + 1e-12


def test_the_same_order_is_1_and_the_reverse_is_minus_1():
    values = np.random.default_rng(0).normal(size=50)
    assert spearman(values, np.exp(values)) == pytest.approx(1)
    assert spearman(values, -(values**3)) == pytest.approx(-1)


@pytest.mark.parametrize("size", [1, 2, 7])
def test_where_one_side_is_all_equal_it_is_0(size):
    assert spearman([0.1] * size, np.arange(size)) == 0.0
    assert spearman(np.arange(size), [0.1] * size) == 0.0


def test_float32_and_float16_are_ranked_as_they_are():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=200).astype(np.float16), rng.normal(size=200).astype(np.float32)
    assert spearman(a, b) == pytest.approx(spearmanr(a, b).statistic, abs=1e-9)
