from __future__ import annotations

import numpy as np
import pytest

from heedful.explain.check.learning_curve import learning_curve

SIZES = [125] * 3 + [250] * 3 + [500] * 3 + [1000] * 5


def measured(accuracy, noise=0.0, seed=0):
    rng = np.random.default_rng(seed)
    values = [accuracy(n) + rng.normal(0, noise) for n in SIZES]
    return learning_curve(SIZES, values, [250] * len(SIZES))


def test_a_power_law_is_continued():
    curve = measured(lambda n: 1 - 0.08 - 2 * n**-0.5)
    assert [point.n for point in curve.points] == [125, 250, 500, 1000]
    assert [point.n for point in curve.ahead] == [2000, 4000]
    for point in curve.ahead:
        assert point.low <= 1 - 0.08 - 2 * point.n**-0.5 <= point.high
    assert curve.ahead[0].accuracy < curve.ahead[1].accuracy


def test_a_flat_curve_stays_flat_and_its_interval_has_the_present():
    curve = measured(lambda _: 0.8, noise=0.01)
    assert all(abs(point.accuracy - 0.8) < 0.03 and point.low < 0.8 < point.high for point in curve.ahead)


def test_intervals_are_within_0_and_1_and_wider_further_ahead():
    curve = measured(lambda n: 1 - n**-0.6, noise=0.005)
    assert all(0 <= point.low <= point.accuracy <= point.high <= 1 for point in (*curve.points, *curve.ahead))
    widths = [point.high - point.low for point in curve.ahead]
    assert widths[1] >= widths[0]


def test_folds_of_slightly_different_sizes_are_one_point():
    sizes = [250, 251, 500, 504, 498, 1990, 2012, 2001, 2008, 1999]
    curve = learning_curve(sizes, [0.6, 0.62, 0.7, 0.71, 0.72, 0.8, 0.82, 0.81, 0.79, 0.83], [500] * len(sizes))
    assert [point.n for point in curve.points] == [250, 501, 2002]
    assert curve.points[-1].accuracy == pytest.approx(0.81)


def test_two_sizes_are_too_few_to_look_ahead():
    assert learning_curve([100, 200], [0.5, 0.6], [50, 50]).ahead == ()


@pytest.mark.parametrize("noise", [0.005, 0.02])
def test_intervals_cover_the_truth_most_of_the_time(noise):
    def truth(n):
        return 1 - 0.1 - 1.5 * n**-0.45

    inside = [
        point.low <= truth(point.n) <= point.high
        for seed in range(20)
        for point in measured(truth, noise=noise, seed=seed).ahead
    ]
    assert np.mean(inside) >= 0.9
