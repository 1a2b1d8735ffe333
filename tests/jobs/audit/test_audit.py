"""An audit believes heatmaps that must be right, and does not believe those that cannot be."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.jobs.audit.find_the_mark import TEXTS, trained

from heedful import HeedfulError, load
from heedful.config import Config
from heedful.jobs.audit import audit as module
from heedful.jobs.audit.audit import audit, audit_texts
from heedful.jobs.audit.progress_file import NAME as PART
from heedful.jobs.audit.sample import AuditText, sample_texts
from heedful.jobs.train.train import train_model


@pytest.fixture(scope="module")
def finder(tmp_path_factory):
    """A model whose head is not linear: its heatmaps show attention."""
    model, accuracy = trained(tmp_path_factory.mktemp("finder") / "model", head="pruned")
    assert accuracy == 1.0
    return model


def shuffled_weights(model, rng):
    """Return a copy of a model that shows its weights in another order than those it uses."""
    other = load(model.path, threads=1)
    run = other.run

    def run_and_shuffle(features, outputs, **settings):
        for batch, found in run(features, outputs, **settings):
            if "weights" in outputs:
                at = list(outputs).index("weights")
                found[at] = np.stack(
                    [rng.permuted(one[:, :n], axis=1) for one, n in zip(found[at], batch.lengths, strict=True)]
                )
            yield batch, found

    other.run = run_and_shuffle
    return other


@pytest.mark.slow
def test_attention_that_must_be_right_is_better_than_chance(finder):
    found = audit_texts(finder, TEXTS, name="marks", keep=False)
    assert found.subject == "attention" and "contributions" not in found.methods
    assert found.verdict.level == "better"
    assert "better than chance" in found.verdict.words
    assert found.accuracy == 1.0
    attention, chance = found.methods["attention"], found.methods["random"]
    assert attention.comprehensiveness.mean > chance.comprehensiveness.mean + 0.3
    assert attention.sufficiency.mean < chance.sufficiency.mean - 0.3
    assert found.methods["leave-one-out"].comprehensiveness.mean > chance.comprehensiveness.mean + 0.3
    assert found.permutation.mean > 0.2


@pytest.mark.slow
def test_equal_weights_are_no_better_than_chance(tmp_path):
    model, accuracy = trained(tmp_path / "mean", pooler="mean", head="pruned")
    assert accuracy > 0.95, "the answer is right, only the weights say nothing"
    found = audit_texts(model, TEXTS, name="marks", keep=False)
    assert found.verdict.level == "no better"
    assert "same weight" in found.verdict.words
    assert found.hops.entropy == pytest.approx((1.0,))
    assert found.permutation.mean < 1e-5


@pytest.mark.slow
def test_shuffled_weights_are_no_better_than_chance(finder):
    found = audit_texts(shuffled_weights(finder, np.random.default_rng(0)), TEXTS, name="marks", keep=False)
    assert found.verdict.level in ("no better", "worse")
    assert "chance" in found.verdict.words
    assert "not" in found.verdict.words.lower()


@pytest.fixture
def texts_file(tmp_path, examples, write_csv):
    return write_csv(tmp_path / "texts.csv", examples(40, seed=5))


def test_the_verdict_stays_with_the_model(tiny_copy, texts_file):
    model = load(tiny_copy, threads=1)
    assert model.verdict.level == "not audited"
    found = audit(model, texts_file)
    for now in (model, load(tiny_copy, threads=1)):
        assert now.verdict == found.verdict
        assert now.explain("the parcel was great").verdict == found.verdict
    assert found.verdict.words in (tiny_copy / "README.md").read_text(encoding="utf-8")
    assert not (tiny_copy / PART).exists()
    tree = json.loads((tiny_copy / "audit.json").read_text(encoding="utf-8"))
    assert (tree["n_texts"], tree["file"], tree["verdict"]["level"]) == (40, "texts.csv", found.verdict.level)


def test_nothing_is_kept_where_that_was_asked(tiny_copy, texts_file):
    before = {file.name: file.read_bytes() for file in tiny_copy.iterdir()}
    audit(load(tiny_copy, threads=1), texts_file, keep=False)
    assert {file.name: file.read_bytes() for file in tiny_copy.iterdir()} == before


def test_an_audit_that_was_stopped_goes_on_and_finds_the_same(tiny_copy, texts_file, monkeypatch):
    expected = audit(load(tiny_copy, threads=1), texts_file, keep=False)
    measured, measure = [], module.measure_text

    def stop_after_ten(model, text, *rest, **settings):
        if len(measured) == 10:
            raise KeyboardInterrupt
        measured.append(text)
        return measure(model, text, *rest, **settings)

    monkeypatch.setattr(module, "measure_text", stop_after_ten)
    with pytest.raises(KeyboardInterrupt):
        audit(load(tiny_copy, threads=1), texts_file)
    with (tiny_copy / PART).open("a") as part:
        part.write('[10, {"answer": 1, "with')  # killed while it wrote
    monkeypatch.setattr(module, "measure_text", lambda *a, **k: measured.append(a[1]) or measure(*a, **k))
    notes = []
    found = audit(load(tiny_copy, threads=1), texts_file, on_note=notes.append)
    assert len(measured) == 40
    assert "10 of 40 texts are done" in notes[0]
    assert replace(found, model=expected.model) == expected


def test_other_texts_are_not_taken_for_those_of_a_stopped_run(tiny_copy, texts_file, tmp_path, examples, write_csv):
    (tiny_copy / PART).write_text('{"graph": "another"}\n[0, null]\n')
    assert audit(load(tiny_copy, threads=1), texts_file).n_texts == 40


def test_the_same_seed_finds_the_same(tiny_model, texts_file):
    one, two = (audit(tiny_model, texts_file, keep=False, n_texts=20) for _ in range(2))
    assert one == two
    assert one != audit(tiny_model, texts_file, keep=False, n_texts=20, seed=1)


def test_a_sample_is_of_the_whole_file_and_in_its_order(tiny_model, texts_file, examples):
    every = [one.text for one in examples(40, seed=5)]
    found = sample_texts(texts_file, 15, seed=0, model=tiny_model)
    at = [every.index(one.text) for one in found]
    assert len(found) == 15
    assert at == sorted(at)
    assert max(at) > 20
    assert len(sample_texts(texts_file, 0, seed=0, model=tiny_model)) == 40


def test_too_few_texts_are_refused(tiny_model):
    with pytest.raises(HeedfulError, match="found 1 different texts of two words or more, expected at least 10"):
        audit_texts(tiny_model, [AuditText("great parcel")] * 50 + [AuditText("great")] * 20, name="few", keep=False)


def test_a_text_counts_once(tiny_model, texts_file):
    texts = sample_texts(texts_file, 20, seed=0, model=tiny_model)
    once, often = (audit_texts(tiny_model, some, name="x", keep=False) for some in (texts, texts * 5))
    assert often.n_texts == once.n_texts
    assert often.methods == once.methods
    assert "appear earlier in the file" in often.left_out["repeated texts"]


def test_a_smaller_audit_says_what_it_replaces(tiny_copy, texts_file):
    notes = []
    audit(load(tiny_copy, threads=1), texts_file, n_texts=30)
    audit(load(tiny_copy, threads=1), texts_file, n_texts=20, on_note=notes.append)
    assert any("replaces an audit of the model on" in note for note in notes)


def test_an_encoder_is_refused(pretrained, texts_file):
    with pytest.raises(HeedfulError, match="gives vectors"):
        audit(pretrained, texts_file)


def test_without_torch_the_rest_is_tested_and_what_is_missing_said(tiny_model, texts_file, monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    found = audit(tiny_model, texts_file, keep=False)
    assert set(found.methods) == {"contributions", "attention", "leave-one-out", "random"}
    assert set(found.recovered) == {"contributions", "attention"}
    assert found.permutation is None
    assert "heedful[train]" in found.left_out["gradients, permutation"]


def test_max_pooling_has_no_weights_to_shuffle(tmp_path, texts_file):
    from tests.conftest import train_tiny

    found = audit(load(train_tiny(tmp_path / "max", pooler="max"), threads=1), texts_file, keep=False)
    assert found.permutation is None
    assert "pooler max" in found.left_out["permutation"]


@pytest.mark.slow
def test_deep_checks_train_again_and_search_for_other_weights(tmp_path, examples, write_csv, tiny_settings, texts_file):
    data = write_csv(tmp_path / "train.csv", examples(120))
    train_model(Config().changed(**tiny_settings, train=str(data), start="none"), tmp_path / "model")
    found = audit(load(tmp_path / "model", threads=1), texts_file, deep=True, n_texts=15, keep=False)
    assert set(found.deep) == {"uniform", "seeds", "adversarial"}
    assert found.deep["uniform"]["difference"] == pytest.approx(
        found.deep["uniform"]["learned"] - found.deep["uniform"]["uniform"]
    )
    assert -1 <= found.deep["seeds"]["agreement"]["mean"] <= 1
    assert len(found.deep["seeds"]["accuracy"]) == 2
    assert 0 <= found.deep["adversarial"]["distance"]["mean"] <= 0.6932


def test_a_model_from_no_file_says_why_it_cannot_be_trained_again(tiny_model, texts_file):
    found = audit(tiny_model, texts_file, deep=True, n_texts=12, keep=False)
    assert "not in a file" in found.left_out["uniform"]
    assert "not in a file" in found.left_out["seeds"]
    assert "adversarial" in found.deep
