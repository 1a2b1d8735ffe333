"""Hops by every score function go the whole way: trained, saved, run, explained, audited."""

from __future__ import annotations

import numpy as np
import pytest

from heedful import load
from heedful.config import Config
from heedful.explain.attention.explanation import GRADIENT, LEAVE_ONE_OUT
from heedful.explain.hops.statistics import hop_atlas
from heedful.jobs.audit.audit import audit_texts
from heedful.jobs.audit.sample import AuditText
from heedful.jobs.encoders.encoder import encoder_config
from heedful.jobs.encoders.pretrain import pretrain_model
from heedful.jobs.train.train import train_model
from heedful.network.poolers.hop_attention import HopAttention
from heedful.network.scores.parts import SCORES
from heedful.torch_model.network import network_of
from heedful.torch_model.shuffle import can_be_shuffled

OTHERS = [name for name in SCORES if name != "additive"]


@pytest.mark.parametrize("score", OTHERS)
def test_a_classifier_is_trained_explained_and_audited(score, tiny_settings, examples, tmp_path):
    made = examples(80)
    train_model(Config().changed(**tiny_settings, score=score), tmp_path / "model", examples=(made[:60], made[60:]))
    model = load(tmp_path / "model", threads=1)
    assert model.config.model.score == score
    assert isinstance(network_of(model).pooler, HopAttention) and can_be_shuffled(model)
    assert len(hop_atlas(model, [e.text for e in made]).hops) == 3
    found = model.explain("the parcel was great", methods=(LEAVE_ONE_OUT, GRADIENT))
    assert found.weights.sum(1) == pytest.approx([1.0] * 3, abs=1e-5)
    audit = audit_texts(model, [AuditText(e.text, e.label) for e in made[60:]], name="texts", keep=False)
    assert audit.permutation is not None and audit.hops.mean_overlap is not None and not audit.left_out


@pytest.mark.parametrize("score", OTHERS)
def test_an_encoders_likeness_is_still_a_sum_over_pairs_of_words(score, encoder_settings, examples, tmp_path):
    (tmp_path / "corpus.txt").write_text("\n".join(example.text for example in examples(60)))
    config = encoder_config(train=str(tmp_path / "corpus.txt"), **{**encoder_settings, "epochs": 1}, score=score)
    pretrain_model(config, tmp_path / "encoder")
    model = load(tmp_path / "encoder", threads=1)
    first, second = "the parcel came on monday", "it was great"
    one, two = model.embed([first, second])
    found = model.similarity(first, second)
    assert found.matrix.sum() == pytest.approx(float(one @ two / np.linalg.norm(one) / np.linalg.norm(two)), abs=1e-4)


def test_a_folder_from_before_scores_answers_as_ever(tiny_folder, tiny_copy, reseal):
    lines = (tiny_copy / "config.toml").read_text().splitlines()
    assert 'score = "additive"' in lines
    (tiny_copy / "config.toml").write_text("\n".join(line for line in lines if not line.startswith("score =")))
    reseal(tiny_copy)
    texts = ["the parcel was great", "awful", ""]
    before, now = load(tiny_copy, threads=1), load(tiny_folder, threads=1)
    assert before.config.model.score == "additive"
    np.testing.assert_array_equal(before.predict_proba(texts), now.predict_proba(texts))
    assert network_of(before) is not None
