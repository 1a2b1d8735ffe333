"""Bias and contributions sum to the scores: for every graph with a linear head, and for whole models."""

from __future__ import annotations

import numpy as np
import pytest
from tests.conftest import TINY, make_examples
from tests.network.graph_cases import GraphCase, every_case, inputs_of

from heedful.config import Config
from heedful.data.batch import pad
from heedful.explain.contributions import LinearAnswer, has_contributions, linear_answer
from heedful.jobs.train.train import train_model
from heedful.network.heads.parts import HEADS, STATES, SUM_BIAS, SUM_LENGTH, SUM_MAP
from heedful.network.poolers.parts import POOLERS
from heedful.runtime.model import load
from heedful.runtime.session import Session

LINEAR = ("linear", "mapped")
CASES = {
    str(case): case
    for case in every_case()
    if case.settings.get("head", "linear") in LINEAR
    and POOLERS[case.settings.get("pooler", "structured")].is_weighted_sum
    and not HEADS[case.settings.get("head", "linear")].row_per_token
}
TEXTS = [
    "",
    " \n ",
    "great",
    "the parcel came and it was awful",
    "zzz qqq xyzzy",
    "Paket kam nie an. 荷物が届かない。 الطرد لم يصل 🙂",
    "great awful " * 5_000,
]


@pytest.mark.parametrize("name", CASES)
def test_bias_and_tokens_sum_to_the_scores_of_every_graph(name):
    case = CASES[name]
    _, graph = case.made()
    session = Session(graph, outputs=("scores", STATES, SUM_MAP, SUM_BIAS), inputs=case.shape.names)
    features = list(inputs_of(case.shape))
    batch = pad(features, range(len(features)))
    outputs = ["scores", "weights", STATES, SUM_MAP, SUM_BIAS]
    scores, weights, states, flat, bias = session.run(batch, outputs)
    lengths = session.run(batch, [SUM_LENGTH])[0] if SUM_LENGTH in session.outputs else [None] * len(features)
    n_hops = weights.shape[1]
    by_width = flat.reshape(n_hops, -1, len(bias)).transpose(1, 0, 2).reshape(-1, n_hops * len(bias))
    answer = LinearAnswer(by_width, bias.astype(np.float64), n_hops, 1.0, lengths[0] is not None)
    for row, n in enumerate(batch.lengths):
        parts = answer.sum_of(weights[row, :, :n], states[row, :n], lengths[row])
        assert np.allclose(parts.bias + parts.by_token.sum(axis=0), scores[row], atol=1e-5)
        assert np.allclose(parts.bias + parts.by_hop.sum(axis=0), scores[row], atol=1e-5)


def test_there_are_cases_with_both_heads_and_small_graphs():
    assert {case.settings.get("head", "linear") for case in CASES.values()} == set(LINEAR)
    assert any("vectors" in case.shape.names for case in CASES.values())


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("head", LINEAR)
def test_small_graphs_sum_too(head, small):
    case = GraphCase({"head": head}, small=small)
    _, graph = case.made()
    session = Session(graph, outputs=("scores",), inputs=case.shape.names)
    ids = np.array([3, 5, 7, 3, 9], dtype=np.int32)
    scores, weights, states, flat, bias = session.run(pad([ids], [0]), ["scores", "weights", STATES, SUM_MAP, SUM_BIAS])
    length = session.run(pad([ids], [0]), [SUM_LENGTH])[0][0] if head == "mapped" else 1.0
    rows = np.einsum("ht,tw->hw", weights[0], states[0]).reshape(-1)
    assert np.allclose(bias + rows @ flat / length, scores[0], atol=1e-5)


@pytest.mark.parametrize("pooler", ["max", "last"])
def test_rows_that_are_not_weighted_sums_have_no_contributions(pooler):
    _, graph = GraphCase({"pooler": pooler}).made()
    assert SUM_MAP not in Session(graph, outputs=("scores",)).outputs


@pytest.fixture(params=["words", "subwords", "n-grams"])
def model(request, tiny_model, subword_model, wide_model):
    return {"words": tiny_model, "subwords": subword_model, "n-grams": wide_model}[request.param]


@pytest.mark.parametrize("text", TEXTS, ids=[repr(text)[:20] for text in TEXTS])
def test_a_model_s_words_sum_to_its_scores(model, text):
    explanation = model.explain(text)
    assert explanation.contributions.shape == (len(explanation.words), len(model.labels))
    total = explanation.bias + explanation.contributions.sum(axis=0)
    assert np.allclose(total, explanation.scores, atol=1e-5)
    assert np.allclose(explanation.scores, model.scores([text])[0], atol=1e-5)
    ngrams = 0.0 if explanation.ngram_contributions is None else explanation.ngram_contributions
    hops = explanation.hop_contributions.sum(axis=0)
    assert np.allclose(explanation.bias + ngrams + hops, explanation.scores, atol=1e-5)
    assert (explanation.ngram_contributions is None) == (model.config.text.ngrams <= 0)


def test_the_batch_changes_nothing(model):
    alone = [model.explain(text).contributions for text in TEXTS]
    for together, single in zip(model.explain(TEXTS), alone, strict=True):
        assert np.allclose(together.contributions, single, atol=1e-5)


def test_top_goes_by_contribution_to_the_target(model):
    explanation = model.explain("the parcel came and it was awful", label="good")
    added = explanation.contributions_to("good")
    assert explanation.top(1) == [(explanation.words[int(added.argmax())].text, pytest.approx(added.max()))]
    assert np.array_equal(explanation.contributions_to(), added)
    assert np.array_equal(added, explanation.contributions[:, model.labels.index("good")])


def test_a_head_that_is_not_linear_has_none_and_leave_one_out_instead(tmp_path):
    config = Config().changed(**TINY, head="pruned", start="none")
    train_model(config, tmp_path / "pruned", examples=(make_examples(60), make_examples(20, seed=1)))
    model = load(tmp_path / "pruned")
    explanation = model.explain("the parcel was awful")
    assert not has_contributions(model)
    assert explanation.contributions is None and explanation.contributions_to() is None
    assert set(explanation.effects) == {"leave-one-out"}


def test_long_texts_are_summed_in_parts(model, monkeypatch):
    whole = model.explain(TEXTS[3]).contributions
    monkeypatch.setattr("heedful.explain.contributions.MOST_CELLS", 1)
    assert np.allclose(model.explain(TEXTS[3]).contributions, whole, atol=1e-12)
    assert linear_answer(model) is linear_answer(model)
