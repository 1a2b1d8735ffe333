"""Logistic regression on n-grams: against scikit-learn, and trials against fits."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tests.conftest import make_examples

from heedful.inputs.text.known_ngrams import KnownNGrams
from heedful.training.start.linear_probe import best_temperature
from heedful.training.start.ngrams.ngram_counts import IDF, RATIO, NGramCounts
from heedful.training.start.ngrams.wide_fit import Strengths, Texts, fit, fit_wide, product
from heedful.training.start.ngrams.wide_trials import Trials


@pytest.fixture(scope="module")
def texts() -> Texts:
    made = make_examples(90)
    known = KnownNGrams.learned([e.text for e in made], most=5_000)
    counts = NGramCounts([known.arrays(e.text) for e in made], len(known) + 1)
    truth = np.array([["bad", "good"].index(e.label) for e in made])
    truth[::7] = 1 - truth[::7]  # so that nothing is separable
    vectors = np.random.default_rng(0).standard_normal((90, 6)).astype(np.float32) / 3
    return Texts(counts, truth, 2, vectors)


def dense(texts: Texts, scale) -> np.ndarray:
    return texts.counts.scaled(scale).times(torch.eye(len(scale))).numpy()


@pytest.mark.parametrize("kind", [IDF, RATIO])
@pytest.mark.parametrize("fewest", [1, 2])
def test_rows_have_length_1_and_rare_n_grams_are_left_out(texts, kind, fewest):
    scale = texts.counts.scale_of(texts.truth, 2, kind, fewest=fewest)
    rows = dense(texts, scale)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    in_texts = (rows > 0).sum(axis=0)
    assert in_texts[in_texts > 0].min() >= fewest


def test_idf_is_that_of_scikit_learn(texts):
    scale = texts.counts.scale_of(texts.truth, 2, IDF)
    in_texts = (dense(texts, scale) > 0).sum(axis=0)
    kept = in_texts > 0
    np.testing.assert_allclose(scale[kept], np.log((1 + 90) / (1 + in_texts[kept])) + 1, rtol=1e-5)


@pytest.mark.parametrize("strength", [1.0, 10.0])
def test_the_fit_is_that_of_scikit_learn(texts, strength):
    from sklearn.linear_model import LogisticRegression

    fitted = fit(texts, Strengths(IDF, strength))
    rows = dense(texts, fitted.scale)
    # Of one difference, two weights that are each other's opposite have half of the penalty.
    rival = LogisticRegression(C=2 * strength, tol=1e-8, max_iter=5_000).fit(rows, texts.truth)
    margins = fitted.scores(texts)[:, 1] - fitted.scores(texts)[:, 0]
    np.testing.assert_allclose(margins.numpy(), rival.decision_function(rows), atol=2e-2)


@pytest.mark.parametrize("strengths", [Strengths(RATIO, 10.0), Strengths(IDF, 3.0, 10.0), Strengths(IDF, 0.0, 10.0)])
def test_a_trial_has_the_accuracy_of_fits_without_each_fold(texts, strengths):
    trial = Trials(texts).run(strengths)
    scores = torch.zeros(90, 2)
    for out in texts.folds(0):
        scores[torch.from_numpy(out)] = fit(texts.at(~out), strengths).scores(texts.at(out))
    assert trial.accuracy == pytest.approx((scores.argmax(1).numpy() == texts.truth).mean(), abs=0.02)


def test_products_are_those_of_the_rows(texts):
    scale = texts.counts.scale_of(texts.truth, 2, IDF)
    rows = dense(texts, scale)
    half = texts.at(np.arange(90) < 40)
    np.testing.assert_allclose(texts.counts.products(half.counts, scale).numpy(), rows @ rows[:40].T, atol=1e-5)


def test_the_choice_is_the_trial_with_the_least_loss(texts):
    trials = Trials(texts)
    best = trials.choose()
    assert best.loss <= trials.run(Strengths(RATIO, 10.0, 10.0)).loss
    assert trials.choose(ngrams=False).strengths.ngrams == 0 < trials.choose(ngrams=False).strengths.vectors
    assert trials.choose(vectors=False).strengths.vectors == 0
    assert trials.choose(fewest=1).strengths.fewest == 1


def test_corrections_are_held_out_scores_less_scores(texts):
    fitted = fit_wide(texts, Strengths(IDF, 10.0))
    held_out = fitted.regression.scores(texts) + fitted.corrections
    right = held_out.argmax(1).numpy() == texts.truth
    assert right.mean() < (fitted.regression.scores(texts).argmax(1).numpy() == texts.truth).mean()


def test_the_temperature_suits_the_scores():
    scores = torch.randn(2_000, 3, generator=torch.Generator().manual_seed(0))
    truth = torch.distributions.Categorical(logits=scores).sample().numpy()
    assert best_temperature(3 * scores, truth) == pytest.approx(3.0, rel=0.25)


def test_every_fold_has_its_share_of_each_label(texts):
    for out in texts.folds(0):
        assert abs(out.sum() - 30) <= 1 and abs(texts.truth[out].mean() - texts.truth.mean()) < 0.1


def test_equal_and_empty_texts_are_tried_too(texts):
    same = np.concatenate([np.arange(90), np.zeros(40, dtype=np.int64)])
    known = KnownNGrams.learned([e.text for e in make_examples(90)], most=5_000)
    made = [make_examples(90)[i].text for i in same] + [""] * 5
    counts = NGramCounts([known.arrays(text) for text in made], len(known) + 1)
    many = Texts(counts, np.arange(len(made)) % 2, 2)
    trial = Trials(many).choose()
    assert np.isfinite(trial.loss) and 0 <= trial.accuracy <= 1


@pytest.mark.parametrize("columns", [1, 2, 77])
def test_a_product_is_that_of_torch_in_rows(columns):
    matrix, weight = torch.randn(30, 20), torch.randn(20, columns)
    for each in (matrix, matrix.T.contiguous().T):
        torch.testing.assert_close(product(each, weight), matrix @ weight)
        assert product(each, weight).is_contiguous()
