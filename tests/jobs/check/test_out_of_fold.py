from __future__ import annotations

import numpy as np

from heedful.inputs.text.known_ngrams import KnownNGrams
from heedful.jobs.check.out_of_fold import fit_out_of_fold, fit_parts, grouped_folds, whole_parts
from heedful.training.start.ngrams.ngram_counts import NGramCounts
from heedful.training.start.ngrams.wide_fit import Strengths, Texts


def material(examples, n=120):
    rows = examples(n, seed=4)
    texts = [row.text for row in rows]
    truth = np.array([row.label == "good" for row in rows], dtype=np.int64)
    known = KnownNGrams.learned(texts, most=5_000)
    return texts, Texts(NGramCounts(known.arrays_of(texts), len(known) + 1), truth, 2)


def test_rows_of_a_group_share_a_fold_and_labels_are_divided_evenly():
    truth = np.array([0, 1] * 50)
    groups = np.arange(100)
    groups[[3, 41, 77]] = 3
    folds = grouped_folds(truth, groups)
    assert folds[3] == folds[41] == folds[77]
    assert all(7 <= (folds[truth == label] == fold).sum() <= 13 for label in (0, 1) for fold in range(5))


def test_each_text_is_scored_by_the_weights_of_its_fold(examples):
    _, texts = material(examples)
    folds = grouped_folds(texts.truth, np.arange(len(texts)))
    oof = fit_out_of_fold(texts, Strengths("ratio", 3.0), folds)
    assert (oof.scores.argmax(axis=1) == texts.truth).mean() > 0.9
    weights = oof.weights[folds[7]]
    row = np.zeros(len(texts), dtype=np.bool_)
    row[7] = True
    import torch

    scores = texts.at(row).counts.scaled(weights.scale).times(torch.from_numpy(weights.ngrams)).numpy() + weights.bias
    assert np.allclose(scores[0], oof.scores[7], atol=1e-5)


def test_a_text_cannot_tell_its_own_label(examples):
    _, texts = material(examples)
    folds = grouped_folds(texts.truth, np.arange(len(texts)))
    before = fit_out_of_fold(texts, Strengths("ratio", 3.0), folds)
    texts.truth[7] = 1 - texts.truth[7]
    after = fit_out_of_fold(texts, Strengths("ratio", 3.0), folds)
    raw = [each.scores[7, 1] - each.scores[7, 0] for each in (before, after)]
    assert np.sign(raw[0]) == np.sign(raw[1])


def test_parts_are_measured_on_held_out_texts(examples):
    _, texts = material(examples)
    folds = grouped_folds(texts.truth, np.arange(len(texts)))
    parts = fit_parts(texts, Strengths("ratio", 3.0), folds)
    assert {part.n for part in parts} == {12, 24, 48} and all(part.n_held == 24 for part in parts)
    whole = whole_parts(fit_out_of_fold(texts, Strengths("ratio", 3.0), folds), texts.truth)
    assert [part.n for part in whole] == [96] * 5
