"""The folder of an encoder, and its card."""

from __future__ import annotations

import json
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from heedful import load
from heedful.config import Config
from heedful.errors import ModelFolderError
from heedful.store.cards.card import model_card
from heedful.store.folder import read_folder
from heedful.store.metadata import Facts

DATA = {"train_texts": 1234, "valid_texts": 56, "mean_tokens": 12.6, "known_tokens": 789, "cut_texts": 0}
FACTS = Facts((), 4, 20, "9.9", metrics={"agreement": 0.8125, "cosine": 0.75}, data=DATA, parity=2e-6)
RECORDS = [{"epoch": 1, "is_best": True, "is_kept": True}, {"epoch": 2, "is_best": False, "is_kept": False}]


@pytest.fixture
def encoder_copy(pretrained_folder, tmp_path):
    return Path(shutil.copytree(pretrained_folder, tmp_path / "encoder-copy"))


def test_an_encoders_folder_holds_no_code(pretrained_folder):
    assert sorted(p.name for p in pretrained_folder.iterdir()) == [
        "README.md", "config.toml", "facts.json", "history.jsonl", "model.onnx", "tokenizer.json",
        "weights.safetensors",
    ]  # fmt: skip
    tree = tomllib.loads((pretrained_folder / "config.toml").read_text())
    assert tree["task"] == "embed" and tree["model"]["head"] == "vector"


def test_a_moved_encoder_gives_equal_vectors(pretrained, encoder_copy):
    texts = ["the parcel was great", ""]
    np.testing.assert_array_equal(load(encoder_copy, threads=1).embed(texts), pretrained.embed(texts))


def test_an_encoder_with_labels_is_refused(encoder_copy):
    facts = json.loads((encoder_copy / "facts.json").read_text())
    (encoder_copy / "facts.json").write_text(json.dumps({**facts, "labels": ["bad", "good"]}))
    with pytest.raises(ModelFolderError, match=r"facts\.json has 2 labels, but the task is embed"):
        read_folder(encoder_copy)


def test_a_classifier_without_labels_is_refused(tiny_copy):
    facts = json.loads((tiny_copy / "facts.json").read_text())
    (tiny_copy / "facts.json").write_text(json.dumps({**facts, "labels": []}))
    with pytest.raises(ModelFolderError, match=r"facts\.json has 0 labels, but the task is classify"):
        read_folder(tiny_copy)


def test_another_task_in_config_is_refused(encoder_copy, tiny_copy):
    for folder, task in ((encoder_copy, "classify"), (tiny_copy, "embed")):
        config = folder / "config.toml"
        lines = [f'task = "{task}"' if line.startswith("task") else line for line in config.read_text().splitlines()]
        config.write_text("\n".join(lines))
        with pytest.raises(ModelFolderError, match=f"but the task is {task}|encode.* missing"):
            read_folder(folder)


@pytest.mark.parametrize("width", [15, 17])
def test_another_width_than_the_graphs_is_refused(encoder_copy, reseal, width):
    config = encoder_copy / "config.toml"
    assert "vector_width = 16" in config.read_text()
    config.write_text(config.read_text().replace("vector_width = 16", f"vector_width = {width}"))
    reseal(encoder_copy)
    with pytest.raises(ModelFolderError, match=r"model\.onnx gives"):
        load(encoder_copy)


def test_a_classifiers_graph_in_an_encoders_folder_is_refused(encoder_copy, tiny_folder, reseal):
    shutil.copy(tiny_folder / "model.onnx", encoder_copy)
    reseal(encoder_copy)
    with pytest.raises(ModelFolderError, match=r"model\.onnx does not give map, vector$"):
        load(encoder_copy)


def config_of(**settings: object) -> Config:
    return replace(Config().changed(head="vector", vector_width=64, **settings), task="embed")


def test_the_card_of_a_distilled_encoder_says_who_taught_it_and_how_well():
    facts = replace(FACTS, data={**DATA, "teacher": "big `model`\n# x"})
    config = config_of(encoder="bilstm", keep_words=True, train="../corpus.txt", teacher="../big-model")
    card = model_card("my <b>encoder", config, facts, RECORDS)
    assert card.startswith("# my bencoder\n")
    assert "`big model# x`" in card and "\n# x" not in card
    for part in (
        "bilstm encoder",
        "vector concatenated to its state",
        "4 hops",
        "vectors of 64 numbers",
        "1,234 texts",
    ):
        assert part in card
    assert "agreement 0.812, cosine 0.750" in card and "2 epochs" in card and "2.0e-06" in card
    assert "heedful distill config.toml - -o again" in card


def test_the_card_of_a_pretrained_encoder_names_no_teacher():
    card = model_card("e", config_of(train="../corpus.txt"), FACTS, RECORDS)
    assert "pairs of texts" in card and "teacher `" not in card and "heedful pretrain config.toml" in card
    assert "concatenated" not in card and "classifier" not in card


def test_the_card_that_was_written_has_the_figures_of_the_folder(pretrained_folder):
    card, facts = (pretrained_folder / "README.md").read_text(), read_folder(pretrained_folder).facts
    assert f"partner found {facts.metrics['partner_found']:.3f}" in card
    assert f"{facts.data['known_tokens']} tokens known" in card
