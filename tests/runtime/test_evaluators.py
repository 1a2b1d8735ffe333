"""Evaluators of sentence-transformers take our Model as one of theirs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

pytest.importorskip("sentence_transformers")

from sentence_transformers.sentence_transformer.evaluation import (
    EmbeddingSimilarityEvaluator,
    InformationRetrievalEvaluator,
    TripletEvaluator,
)
from sentence_transformers.util import cos_sim

FIRST = ["the parcel was great", "awful and slow", "it came on monday", "my sister"]
SECOND = ["a lovely parcel", "the town was near", "worst and broken", "for my sister"]
SCORES = [0.9, 0.1, 0.3, 0.8]


def unit(model, texts):
    return model.embed(texts, normalize=True)


def test_likeness_of_pairs(pretrained):
    found = EmbeddingSimilarityEvaluator(FIRST, SECOND, SCORES, write_csv=False)(pretrained)
    cosines = (unit(pretrained, FIRST) * unit(pretrained, SECOND)).sum(1)
    assert found["spearman_cosine"] == pytest.approx(spearmanr(cosines, SCORES).statistic, abs=1e-6)


@pytest.mark.parametrize("precision", ["int8", None])
def test_likeness_of_pairs_cut_short_or_as_bytes(pretrained, precision):
    evaluator = EmbeddingSimilarityEvaluator(
        FIRST, SECOND, SCORES, truncate_dim=8, precision=precision or "float32", write_csv=False
    )
    found = evaluator(pretrained)
    assert all(np.isfinite(value) for value in found.values())


def test_triplets(pretrained):
    found = TripletEvaluator(FIRST, FIRST, SECOND, write_csv=False)(pretrained)
    assert found == {"cosine_accuracy": 1.0}  # nothing is nearer to a text than itself


@pytest.mark.parametrize("given", [True, False], ids=["score function given", "the model's own"])
def test_retrieval(pretrained, given):
    queries = {f"q{i}": text for i, text in enumerate(FIRST)}
    corpus = {f"d{i}": text for i, text in enumerate([*FIRST, *SECOND])}
    evaluator = InformationRetrievalEvaluator(
        queries, corpus, {f"q{i}": {f"d{i}"} for i in range(4)}, accuracy_at_k=[1], ndcg_at_k=[2], mrr_at_k=[2],
        precision_recall_at_k=[1], map_at_k=[2], write_csv=False,
        score_functions={"cosine": cos_sim} if given else None,
    )  # fmt: skip
    assert evaluator(pretrained)["cosine_accuracy@1"] == 1.0
