"""Metrics are those of scikit-learn and scipy."""

from __future__ import annotations

import numpy as np
import pytest

from heedful.metrics.bootstrap import interval
from heedful.metrics.correlation import mean_ranks, pearson, roc_auc
from heedful.tasks.classify.metrics import metrics_of_scores
from heedful.tasks.multilabel.metrics import UNKNOWN, multilabel_metrics
from heedful.tasks.regress.metrics import regression_metrics

stats = pytest.importorskip("scipy.stats")
metrics = pytest.importorskip("sklearn.metrics")

SEEDS = range(10)


@pytest.mark.parametrize("seed", SEEDS)
def test_pearson_is_scipys(seed):
    first, second = np.random.default_rng(seed).normal(1e3, 1.0, (2, 50))
    assert pearson(first, second) == pytest.approx(stats.pearsonr(first, second).statistic, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_ranks_are_scipys_with_ties(seed):
    values = np.random.default_rng(seed).integers(0, 8, 30).astype(np.float64)
    np.testing.assert_array_equal(mean_ranks(values), stats.rankdata(values))


@pytest.mark.parametrize("seed", SEEDS)
def test_roc_auc_is_scikit_learns_with_ties(seed):
    rng = np.random.default_rng(seed)
    is_positive, scores = rng.random(40) < 0.3, rng.integers(0, 10, 40) / 10
    is_positive[:2] = True, False  # both classes are present
    assert roc_auc(is_positive, scores) == pytest.approx(metrics.roc_auc_score(is_positive, scores))


def test_roc_auc_of_one_class_is_nan():
    assert np.isnan(roc_auc(np.array([True, True]), np.array([0.1, 0.9])))


@pytest.mark.parametrize("seed", SEEDS)
def test_two_labels_have_scikit_learns_roc_auc(seed):
    rng = np.random.default_rng(seed)
    truth, scores = np.array([0, 1, *rng.integers(0, 2, 30)]), rng.normal(size=(32, 2))
    computed = metrics_of_scores(truth, scores, ["no", "yes"])
    assert computed.roc_auc == pytest.approx(metrics.roc_auc_score(truth, scores[:, 1] - scores[:, 0]))
    assert computed.accuracy == pytest.approx(metrics.accuracy_score(truth, scores.argmax(1)))


@pytest.mark.parametrize("seed", SEEDS)
def test_regression_metrics_are_scikit_learns_and_scipys(seed):
    rng = np.random.default_rng(seed)
    truth = rng.normal(5.0, 3.0, 40).round(1)  # with ties
    predicted = truth + rng.normal(0.0, 2.0, 40)
    computed = regression_metrics(truth, predicted)
    assert computed.rmse == pytest.approx(metrics.root_mean_squared_error(truth, predicted))
    assert computed.mae == pytest.approx(metrics.mean_absolute_error(truth, predicted))
    assert computed.r2 == pytest.approx(metrics.r2_score(truth, predicted))
    assert computed.spearman == pytest.approx(stats.spearmanr(truth, predicted).statistic)
    assert computed.pearson == pytest.approx(stats.pearsonr(truth, predicted).statistic)


@pytest.mark.parametrize("seed", SEEDS)
def test_multilabel_metrics_are_scikit_learns_over_the_known_labels(seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(UNKNOWN, 2, (50, 3)).astype(np.int8)
    probabilities = rng.uniform(0.01, 0.99, (50, 3))
    computed = multilabel_metrics(truth, probabilities, ["a", "b", "c"])
    known = truth != UNKNOWN
    areas = [metrics.roc_auc_score(truth[known[:, i], i], probabilities[known[:, i], i]) for i in range(3)]
    assert [label.roc_auc for label in computed.labels] == pytest.approx(areas)
    assert computed.roc_auc == pytest.approx(np.mean(areas))
    assert computed.loss == pytest.approx(metrics.log_loss(truth[known], probabilities[known]))
    assert computed.accuracy == pytest.approx(metrics.accuracy_score(truth[known], probabilities[known] > 0.5))


def test_the_bootstrap_interval_is_near_scipys():
    values = np.random.default_rng(0).gamma(2.0, size=200)
    expected = stats.bootstrap(
        (values,), np.mean, method="percentile", n_resamples=5_000, rng=np.random.default_rng(1)
    ).confidence_interval
    computed = interval(values)
    width = expected.high - expected.low
    assert abs(computed.low - expected.low) < 0.1 * width
    assert abs(computed.high - expected.high) < 0.1 * width
