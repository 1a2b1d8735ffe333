from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from heedful import load
from heedful.api.train import train
from heedful.config import Config
from heedful.data.example import Example
from heedful.errors import ConfigError, DataError, ModelFolderError, TrainingError
from heedful.jobs.evaluate import evaluate_examples, evaluate_file
from heedful.jobs.train.train import train_model, working_folder
from heedful.tasks.task import WORDS_BESIDE_STATES
from heedful.training.history import EpochEvent, NoteEvent, StepEvent
from heedful.training.resolve import sized


@pytest.fixture
def config(tiny_settings):
    return Config().changed(**tiny_settings)


@pytest.fixture
def pair(examples):
    made = examples(60)
    return made[:48], made[48:]


def weights(folder: Path) -> bytes:
    return (folder / "weights.safetensors").read_bytes()


def stop_after(steps: int):
    """Return a should_stop that asks to stop after so many steps."""
    left = iter(range(steps - 1))
    return lambda: next(left, None) is None


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(config, pair, tmp_path):
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        train_model(config.changed(seed=seed), tmp_path / name, examples=pair)
    assert weights(tmp_path / "a") == weights(tmp_path / "b") != weights(tmp_path / "c")


def test_config_toml_trains_the_same_model_again(config, examples, write_csv, tmp_path):
    settings = config.changed(train=str(write_csv(tmp_path / "in.csv", examples(60))))
    train_model(settings, tmp_path / "first")
    train(None, tmp_path / "again", config=tmp_path / "first" / "config.toml")
    assert weights(tmp_path / "first") == weights(tmp_path / "again")
    found = {"text": "text", "label": "label", "start": "none", **WORDS_BESIDE_STATES}  # what it chose by itself
    expected = sized(settings, 0).changed(train="../in.csv", ngrams=0, **found)
    assert tomllib.loads((tmp_path / "first" / "config.toml").read_text()) == expected.to_dict()


def test_a_forgotten_resume_loses_no_checkpoint(config, pair, tmp_path):
    train_model(config, tmp_path / "cut", examples=pair, should_stop=stop_after(1))
    with pytest.raises(ModelFolderError, match="Set resume to continue it, or overwrite to restart"):
        train_model(config, tmp_path / "cut", examples=pair)
    with pytest.raises(DataError, match="no such file"):
        train_model(config.changed(train="typo.csv"), tmp_path / "cut", overwrite=True)
    assert (working_folder(tmp_path / "cut") / "checkpoint.safetensors").is_file()


@pytest.mark.parametrize("n_steps", [1, 6, 7, 11])
def test_stopped_and_resumed_is_as_if_never_stopped(config, pair, tmp_path, n_steps):
    assert len(pair[0]) == 6 * config.train.batch_size and config.train.epochs == 2
    train_model(config, tmp_path / "whole", examples=pair)
    cut = train_model(config, tmp_path / "cut", examples=pair, should_stop=stop_after(n_steps))
    assert cut.is_interrupted and len(cut.records) == (n_steps - 1) // 6
    if cut.records:
        assert load(tmp_path / "cut").predict("great") in ("bad", "good")
    else:  # nothing was measured yet, so there is nothing worth keeping but the checkpoint
        assert cut.path is None and not (tmp_path / "cut").exists()
    assert working_folder(tmp_path / "cut").is_dir()
    again = train_model(config, tmp_path / "cut", examples=pair, resume=True)
    assert not again.is_interrupted and len(again.records) == 2
    assert weights(tmp_path / "cut") == weights(tmp_path / "whole")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cut", "whole"]


def test_resume_with_nothing_to_resume_starts_from_the_beginning(config, pair, tmp_path):
    train_model(config, tmp_path / "a", examples=pair)
    train_model(config, tmp_path / "b", examples=pair, resume=True)
    assert weights(tmp_path / "a") == weights(tmp_path / "b")


def test_resume_does_not_replace_a_finished_model(config, pair, tmp_path):
    train_model(config, tmp_path / "model", examples=pair)
    before = weights(tmp_path / "model")
    with pytest.raises(ModelFolderError, match="already exists"):
        train_model(config.changed(seed=5), tmp_path / "model", examples=pair, resume=True)
    assert weights(tmp_path / "model") == before


def test_other_settings_or_texts_cannot_be_resumed(config, pair, tmp_path):
    train_model(config, tmp_path / "model", examples=pair, should_stop=stop_after(2))
    with pytest.raises(TrainingError, match=r"train.lr was 0.02, now 0.5"):
        train_model(config.changed(lr=0.5), tmp_path / "model", examples=pair, resume=True)
    with pytest.raises(TrainingError, match="texts was"):
        train_model(config, tmp_path / "model", examples=(pair[0][:-1], pair[1]), resume=True)


@pytest.mark.parametrize("kind", ["model", "other folder", "file", "under a file"])
def test_a_target_that_may_not_be_written_is_refused_before_training(config, pair, tmp_path, kind):
    out = tmp_path / "out"
    if kind == "model":
        train_model(config, out, examples=pair)
    elif kind == "other folder":
        out.mkdir()
        (out / "mine.txt").write_text("mine")
    else:
        out.write_text("mine")
    events: list[object] = []
    with pytest.raises(ModelFolderError):
        train_model(
            config,
            out / "deep" if kind == "under a file" else out,
            examples=pair,
            overwrite=kind != "model",
            watcher=events.append,
        )
    assert events == [], "texts were read before the target was looked at"


def test_a_folder_that_only_looks_like_ours_keeps_its_files(config, pair, tmp_path):
    work = working_folder(tmp_path / "model")
    work.mkdir()
    (work / "notes.txt").write_text("mine")
    train_model(config, tmp_path / "model", examples=pair)
    assert [p.name for p in work.iterdir()] == ["notes.txt"]


def test_a_fault_in_the_data_leaves_nothing(config, pair, tmp_path):
    cases = [
        (([Example("a", "x"), Example("b", "x")], []), "every text has the label 'x'"),
        (([Example("a", "x"), Example("b", "y")], []), "too few texts"),
        ((pair[0], [Example("a", "new")]), "'new' is not among the training labels: bad, good"),
    ]
    for given, message in cases:
        with pytest.raises(DataError, match=message):
            train_model(config, tmp_path / "model", examples=given)
    with pytest.raises(ConfigError, match=r"data\.train is not set"):
        train_model(config, tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_the_watcher_is_told_of_every_step_and_epoch(config, pair, tmp_path):
    events: list[object] = []
    result = train_model(config, tmp_path / "model", examples=pair, watcher=events.append)
    steps = [e for e in events if isinstance(e, StepEvent)]
    assert [e.done for e in steps] == [8, 16, 24, 32, 40, 48] * 2
    assert [e.record for e in events if isinstance(e, EpochEvent)] == list(result.records)
    notes = [e.message for e in events if isinstance(e, NoteEvent)]
    assert "48 texts for training, 12 for validation, labels: bad, good" in notes[0]


def test_facts_and_history_are_what_can_be_counted(config, pair, tmp_path):
    result = train_model(config, tmp_path / "model", examples=pair)
    words = [example.text.split() for example in pair[0]]
    assert result.facts.data == {
        "train_texts": 48,
        "valid_texts": 12,
        "known_tokens": 2 + len({word for text in words for word in text}),
        "mean_tokens": pytest.approx(sum(map(len, words)) / 48),
        "cut_texts": 0,
        "empty_texts": 0,
    }
    lines = (tmp_path / "model" / "history.jsonl").read_text().splitlines()
    assert [json.loads(line)["epoch"] for line in lines] == [1, 2]
    best = max((json.loads(line) for line in lines), key=lambda r: (r["accuracy"], -r["valid_loss"]))
    assert result.facts.metrics["accuracy"] == best["accuracy"]
    model = load(tmp_path / "model")
    right = [model.predict(e.text) == e.label for e in pair[1]]
    assert result.facts.metrics["accuracy"] == pytest.approx(sum(right) / 12)
    assert evaluate_examples(model, pair[1]).accuracy == pytest.approx(sum(right) / 12)


def test_the_card_names_data_and_figures_and_holds_no_markup_of_the_data(config, pair, tmp_path):
    names = {"bad": "<script>`bad`", "good": "[good](http://x)"}
    renamed = tuple([Example(e.text, names[e.label]) for e in part] for part in pair)
    train_model(config, tmp_path / "model", examples=renamed)
    card = (tmp_path / "model" / "README.md").read_text()
    assert "48 texts for training (" in card and "macro F1" in card and "Not audited" in card
    assert "<script>" not in card and "[good]" not in card


@pytest.mark.parametrize("encoder", ["cnn", "static"])
@pytest.mark.parametrize("pooler", ["mean", "max", "last", "structured"])
def test_every_network_is_saved_and_runs(config, pair, tmp_path, encoder, pooler):
    settings = config.changed(encoder=encoder, pooler=pooler, epochs=1, head="full", hidden=8, kernel_sizes=(1, 2))
    train_model(settings, tmp_path / "model", examples=pair)
    explanation = load(tmp_path / "model").explain("the parcel was great")
    assert explanation.weights.sum(1) == pytest.approx([1.0] * len(explanation.weights), abs=1e-5)


def test_word_vectors_are_where_training_starts(config, pair, tmp_path):
    (tmp_path / "vectors.txt").write_text("great 1 0 0 1\nawful 0 1 1 0\nunheard 5 5 5 5\n")
    settings = config.changed(vectors=str(tmp_path / "vectors.txt"), epochs=1, tune_vectors=False)
    result = train_model(settings, tmp_path / "model", examples=pair)
    model = load(tmp_path / "model")
    assert model.config.model.embed_width == 4 and 0 < result.facts.data["words_found"] < 1
    assert [w.is_known for w in model.explain("unheard unseen").words] == [True, False]


def test_evaluate_names_a_label_the_model_does_not_know(tiny_model, tmp_path, write_csv, examples):
    path = write_csv(tmp_path / "test.csv", [*examples(6), Example("hm", "odd")])
    with pytest.raises(DataError, match="'odd' is unknown to this model, which knows: bad, good"):
        evaluate_file(tiny_model, path)
    figures = evaluate_file(tiny_model, write_csv(tmp_path / "good.csv", examples(40)))
    right = sum(tiny_model.predict(e.text) == e.label for e in examples(40))
    assert figures.n == 40 and figures.accuracy == pytest.approx(right / 40)
