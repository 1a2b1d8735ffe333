"""Metrics come from the saved folder, and a folder that answers otherwise is an error."""

from __future__ import annotations

import pytest

import heedful.jobs.train.save as save_module
from heedful import load
from heedful.config import Config
from heedful.jobs.evaluate import evaluate_examples
from heedful.jobs.train.measure_saved import SavedModelError, check_same
from heedful.jobs.train.train import train_model
from heedful.store.weights import read_weights


def test_a_small_difference_is_let_pass_and_a_large_one_names_both():
    check_same(0.5, 0.5049)
    check_same(0.0, 0.0009)
    for saved in (0.6, float("nan")):
        with pytest.raises(SavedModelError, match=rf"loss {saved:g} .* had 0.5"):
            check_same(0.5, saved)


def test_the_metrics_are_those_of_the_folder(examples, tmp_path, tiny_settings):
    made = examples(80)
    config = Config().changed(**tiny_settings, start="none")
    result = train_model(config, tmp_path / "model", examples=(made[:60], made[60:]))
    assert load(tmp_path / "model").facts == result.facts
    found = evaluate_examples(load(tmp_path / "model"), made[60:])
    assert result.facts.metrics["accuracy"] == found.accuracy


def test_a_folder_that_is_not_what_was_trained_is_an_error(examples, tmp_path, tiny_settings, monkeypatch):
    made, real = examples(80), save_module.onnx_graph

    def wrong(settings, weights, **more):
        head = [name for name in weights if name.startswith("head.")]
        return real(settings, {**weights, **{name: weights[name] * -20.0 + 1.0 for name in head}}, **more)

    monkeypatch.setattr(save_module, "onnx_graph", wrong)
    monkeypatch.setattr(save_module, "check_parity", lambda *_, **__: 0.0)
    config = Config().changed(**tiny_settings, start="none")
    with pytest.raises(RuntimeError, match=r"the saved model has loss .* kept in .*model\.training"):
        train_model(config, tmp_path / "model", examples=(made[:60], made[60:]), checkpoints=False)
    assert not (tmp_path / "model").exists()
    assert "embed.weight" in read_weights(tmp_path / "model.training" / "weights.safetensors")


def test_a_head_that_learned_the_validation_set_keeps_the_metrics_from_before(examples, tmp_path, pretrained_folder):
    config = Config().changed(start=str(pretrained_folder), tune="answer")
    result = train_model(config, tmp_path / "model", examples=(examples(60), []))
    assert result.facts.data["valid_texts_learned"]
    assert result.facts.metrics["loss"] == pytest.approx(result.best.valid_loss, rel=1e-3)
