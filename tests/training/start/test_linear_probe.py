"""The linear answer against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from heedful.training.loop.loss import balanced_weights
from heedful.training.start.linear_probe import (
    FOLDS,
    STRENGTHS,
    _best_strength,
    _folds,
    fit_label_probes,
    fit_probe,
    n_fits,
)


def task(n: int = 90, width: int = 6, classes: int = 3, *, noise: float = 1.0, seed: int = 0):
    """Unit vectors around one centre for each class, the first class the rarest."""
    rng = np.random.default_rng(seed)
    shares = np.arange(1, classes + 1) / np.arange(1, classes + 1).sum()
    truth = rng.choice(classes, size=n, p=shares)
    x = rng.normal(size=(classes, width))[truth] + noise * rng.normal(size=(n, width))
    return (x / np.linalg.norm(x, axis=1, keepdims=True)).astype(np.float32), truth.astype(np.int64)


def shares(x, weights, biases):
    return torch.softmax(torch.from_numpy(x) @ weights.T + biases, dim=1).numpy()


@pytest.mark.parametrize("strength", [1.0, 10.0, 100.0])
@pytest.mark.parametrize("balanced", [False, True])
def test_it_is_scikit_learns(strength, balanced):
    x, truth = task()
    theirs = LogisticRegression(C=strength, max_iter=5_000, tol=1e-8, class_weight="balanced" if balanced else None)
    theirs.fit(x.astype(np.float64), truth)
    class_weights = balanced_weights(truth, 3) if balanced else None
    weights, biases = fit_probe(x, truth, 3, class_weights=class_weights, strengths=[strength])
    np.testing.assert_allclose(shares(x, weights, biases), theirs.predict_proba(x), atol=1e-3)
    np.testing.assert_allclose(weights.numpy(), theirs.coef_, atol=5e-3 * np.abs(theirs.coef_).max())


def test_of_two_classes_it_is_scikit_learns_at_twice_the_strength():
    """Two rows w and −w cost 2‖w‖² where scikit-learn's one row 2w costs 4‖w‖²."""
    x, truth = task(classes=2)
    theirs = LogisticRegression(C=6.0, max_iter=5_000, tol=1e-8).fit(x.astype(np.float64), truth)
    weights, biases = fit_probe(x, truth, 2, strengths=[3.0])
    np.testing.assert_allclose(shares(x, weights, biases), theirs.predict_proba(x), atol=1e-3)


def test_what_can_be_separated_is():
    x, truth = task(noise=0.05)
    weights, biases = fit_probe(x, truth, 3)
    assert torch.isfinite(weights).all() and torch.isfinite(biases).all()
    assert (shares(x, weights, biases).argmax(1) == truth).all()


def test_class_weights_help_the_rare_class():
    x, truth = task(300, noise=3.0)
    assert (truth == 0).sum() < (truth == 2).sum() / 2
    plain = shares(x, *fit_probe(x, truth, 3, strengths=[10.0]))
    fair = shares(x, *fit_probe(x, truth, 3, strengths=[10.0], class_weights=balanced_weights(truth, 3)))
    assert (fair.argmax(1) == 0).sum() > (plain.argmax(1) == 0).sum()


def test_the_strength_goes_by_how_much_there_is_to_learn():
    hard, easy = task(120, noise=20.0), task(120, noise=0.1)
    found = [_best_strength(torch.from_numpy(x), torch.from_numpy(y), 3, None, STRENGTHS, 0) for x, y in (hard, easy)]
    assert found[0][0] == STRENGTHS[0] < found[1][0]


def test_scores_are_as_sure_as_they_should_be():
    x, truth = task(400, noise=3.0)
    weights, biases = fit_probe(x[:200], truth[:200], 3, strengths=(0.01, 0.02))  # too weak to be sure
    sure = torch.softmax(torch.from_numpy(x[200:]) @ weights.T + biases, dim=1).max(dim=1).values.mean()
    right = ((torch.from_numpy(x[200:]) @ weights.T + biases).argmax(dim=1).numpy() == truth[200:]).mean()
    assert float(sure) == pytest.approx(float(right), abs=0.1)


def test_every_class_is_dealt_out_evenly():
    truth = torch.from_numpy(task(203)[1])
    folds = _folds(truth, 3, seed=0)
    for label in range(3):
        counts = torch.bincount(folds[truth == label], minlength=FOLDS)
        assert counts.max() - counts.min() <= 1
    assert torch.equal(folds, _folds(truth, 3, seed=0)) and not torch.equal(folds, _folds(truth, 3, seed=1))


def test_the_same_seed_gives_the_same_and_the_callers_random_state_is_left_alone():
    x, truth = task()
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    first, again = fit_probe(x, truth, 3), fit_probe(x, truth, 3)
    assert torch.equal(first[0], again[0]) and torch.equal(first[1], again[1])
    assert torch.equal(torch.rand(2), expected)


@pytest.mark.parametrize("n", [2, 3, 6])
def test_a_handful_of_texts_is_enough(n):
    x, truth = task(n)
    truth[: min(n, 3)] = np.arange(min(n, 3))
    weights, biases = fit_probe(x, truth, 3)
    assert torch.isfinite(weights).all() and torch.isfinite(biases).all()


def test_empty_texts_do_no_harm():
    x, truth = task()
    x[::7] = 0
    weights, _ = fit_probe(x, truth, 3)
    assert torch.isfinite(weights).all()


@pytest.fixture
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def test_small_fits_take_one_thread_and_put_back_the_rest(two_threads):
    x, truth = task()
    seen = []
    fit_probe(x, truth, 3, on_fit=lambda done, _: seen.append((done, torch.get_num_threads())))
    assert {n for done, n in seen if done < n_fits()} == {1}
    assert torch.get_num_threads() == 2


def test_a_fit_that_is_stopped_puts_the_threads_back(two_threads):
    x, truth = task()

    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_probe(x, truth, 3, on_fit=stop)
    assert torch.get_num_threads() == 2


def test_each_fit_is_counted_to_the_end():
    x, truth = task()
    seen = []
    fit_probe(x, truth, 3, on_fit=lambda *counts: seen.append(counts))
    assert seen == [(i + 1, n_fits()) for i in range(n_fits())]


def test_the_fits_of_many_labels_are_counted_as_one_row():
    x, truth = task()
    seen = []
    labels = np.stack([truth == label for label in range(3)], axis=1).astype(np.int8)
    fit_label_probes(x, labels, on_fit=lambda *counts: seen.append(counts))
    assert seen == [(i + 1, 3 * n_fits()) for i in range(3 * n_fits())]
