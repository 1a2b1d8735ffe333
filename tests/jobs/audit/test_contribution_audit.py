"""The verdict is about contributions if there are any: it believes those that are right, whatever attention shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.jobs.audit.find_the_mark import MARKS, TEXTS, trained, trained_to_deceive

from heedful.explain.contributions import LinearAnswer
from heedful.jobs.audit.audit import audit_texts

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def deceiver(tmp_path_factory):
    """A model that answers by the mark and shows its attention elsewhere."""
    model, accuracy = trained_to_deceive(tmp_path_factory.mktemp("deceiver") / "model")
    assert accuracy == 1.0
    return model


def explained(model):
    """Return the explanation of each text, and the position of its mark."""
    for explanation in model.explain([text.text for text in TEXTS]):
        yield explanation, next(i for i, word in enumerate(explanation.words) if word.text in MARKS)


def sums_to_scores(explanation):
    return np.allclose(explanation.bias + explanation.contributions.sum(axis=0), explanation.scores, atol=1e-5)


def shuffle_contributions(monkeypatch, seed):
    """Give each word the contribution of another one: the sum is the same."""
    rng, sum_of = np.random.default_rng(seed), LinearAnswer.sum_of

    def shuffled(self, *arrays):
        parts = sum_of(self, *arrays)
        return replace(parts, by_token=rng.permutation(parts.by_token, axis=0))

    monkeypatch.setattr(LinearAnswer, "sum_of", shuffled)


def test_contributions_of_an_honest_model_are_better(tmp_path):
    model, accuracy = trained(tmp_path / "model")
    assert accuracy == 1.0
    found = audit_texts(model, TEXTS, name="marks", keep=False)
    assert (found.subject, found.verdict.level, found.accuracy) == ("contributions", "better", 1.0)
    assert not found.verdict.is_warning
    assert found.verdict.words.startswith("These contributions find ")
    assert "of what removing each word finds on 150 texts of marks" in found.verdict.words
    contributions, chance = found.methods["contributions"], found.methods["random"]
    assert contributions.comprehensiveness.mean > chance.comprehensiveness.mean + 0.3
    assert contributions.sufficiency.mean < chance.sufficiency.mean - 0.3
    assert found.recovered["contributions"].low > 0.95
    for explanation, mark in explained(model):
        assert sums_to_scores(explanation)
        assert explanation.contributions_to().argmax() == mark and explanation.contributions_to()[mark] > 0


def test_contributions_are_right_where_attention_is_trained_to_deceive(deceiver):
    for explanation, mark in explained(deceiver):
        assert explanation.overall[mark] < 0.5 / len(explanation.words), "attention hides the word that is used"
        assert explanation.contributions_to().argmax() == mark and explanation.contributions_to()[mark] > 0
        assert sums_to_scores(explanation)
    found = audit_texts(deceiver, TEXTS, name="marks", keep=False)
    assert (found.subject, found.verdict.level, found.accuracy) == ("contributions", "better", 1.0)
    assert not found.verdict.is_warning
    assert found.recovered["contributions"].low > 0.95
    assert found.recovered["attention"].high < 0
    assert found.methods["attention"].needed_beyond_chance.high < 0
    assert "Attention finds 0 %." in found.verdict.words


@pytest.mark.parametrize("seed", [0, 1])
def test_shuffled_contributions_are_a_warning_though_they_add_up(deceiver, monkeypatch, seed):
    shuffle_contributions(monkeypatch, seed)
    pairs = list(explained(deceiver))
    assert all(sums_to_scores(explanation) for explanation, _ in pairs)
    assert np.mean([explanation.contributions_to().argmax() == mark for explanation, mark in pairs]) < 0.2
    found = audit_texts(deceiver, TEXTS, name="marks", keep=False)
    assert found.subject == "contributions"
    assert found.verdict.level in ("no better", "worse") and found.verdict.is_warning
    assert found.verdict.words.startswith(("Do not rely on the contributions", "Do not believe the contributions"))
    assert found.recovered["contributions"].high < 0.2


def test_equal_weights_do_not_make_contributions_wrong(tmp_path):
    model, accuracy = trained(tmp_path / "mean", pooler="mean")
    assert accuracy > 0.95
    found = audit_texts(model, TEXTS, name="marks", keep=False)
    assert found.hops.entropy == pytest.approx((1.0,)), "the weights say nothing"
    assert (found.subject, found.verdict.level) == ("contributions", "better")
    assert found.recovered["contributions"].low > 0.95
    assert abs(found.recovered["attention"].mean) < 0.1
    assert "same weight" not in found.verdict.words


@pytest.mark.parametrize("head", ["pruned", "full"])
def test_without_a_linear_head_the_verdict_is_about_attention(tmp_path, head):
    model, accuracy = trained(tmp_path / head, head=head)
    assert accuracy == 1.0
    found = audit_texts(model, TEXTS, name="marks", keep=False)
    assert found.subject == "attention"
    assert "contributions" not in {*found.methods, *found.recovered}
    assert not any("contributions" in pair for pair in found.agreement)
    assert found.verdict.level == "better"
    assert found.verdict.words.startswith("Attention finds the words that this model uses better than chance")
    assert "contributions" not in found.verdict.words
    explanation = model.explain(TEXTS[0].text)
    assert explanation.contributions is None and explanation.bias is None and explanation.hop_contributions is None
    assert set(explanation.effects) == {"leave-one-out"}


def test_without_a_linear_head_attention_that_deceives_is_not_believed(tmp_path):
    model, accuracy = trained_to_deceive(tmp_path / "model", head="pruned")
    assert accuracy > 0.95
    found = audit_texts(model, TEXTS, name="marks", keep=False)
    assert found.subject == "attention"
    assert found.verdict.level in ("no better", "worse") and found.verdict.is_warning
    assert found.verdict.words.startswith(("Do not rely on the weights", "Do not believe the weights"))
