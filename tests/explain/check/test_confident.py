from __future__ import annotations

import numpy as np

from heedful.explain.check.confident import confident_learning, expected_errors


def planted(n=600, n_labels=4, wrong=60, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_labels, n)
    scores = rng.normal(0, 1, (n, n_labels))
    scores[np.arange(n), truth] += 4
    probabilities = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    is_wrong = np.zeros(n, dtype=bool)
    is_wrong[rng.permutation(n)[:wrong]] = True
    return probabilities, np.where(is_wrong, (truth + 1) % n_labels, truth), is_wrong, truth


def test_planted_errors_are_suspects_and_come_first():
    probabilities, given, is_wrong, truth = planted()
    result = confident_learning(probabilities, given)
    assert is_wrong[np.argsort(-result.rank)[:60]].mean() > 0.9
    assert result.is_suspect[is_wrong].mean() > 0.7 and result.is_suspect[~is_wrong].mean() < 0.03
    suggested = result.suggested[is_wrong & result.is_suspect]
    assert (suggested == truth[is_wrong & result.is_suspect]).mean() > 0.95


def test_the_number_of_errors_is_estimated():
    probabilities, given, *_ = planted()
    assert 40 < expected_errors(confident_learning(probabilities, given), given) < 80


def test_the_thresholds_and_the_joint_are_those_of_the_paper():
    probabilities = np.array([[0.9, 0.1], [0.7, 0.3], [0.2, 0.8], [0.1, 0.9], [0.85, 0.15]])
    given = np.array([0, 0, 1, 1, 1])
    # thresholds: 0.8 for the first label, (0.8 + 0.9 + 0.15) / 3 = 0.617 for the second
    result = confident_learning(probabilities, given)
    assert result.joint.tolist() == [[1, 0], [1, 2]]
    assert result.is_suspect.tolist() == [False, False, False, False, True]
    assert result.suggested.tolist() == [1, 1, 0, 0, 0]


def test_rows_that_are_not_judged_are_never_suspects():
    probabilities, given, *_ = planted()
    assert not confident_learning(probabilities, given, judged=np.zeros(len(given), dtype=bool)).is_suspect.any()


def test_labels_without_rows_are_never_suggested_by_the_joint():
    probabilities = np.array([[0.1, 0.9, 0.0], [0.2, 0.8, 0.0], [0.0, 0.1, 0.9], [0.9, 0.1, 0.0]])
    result = confident_learning(probabilities, np.array([1, 1, 1, 0]))
    assert result.joint[:, 2].sum() == 0 and np.isfinite(result.rank).all()
