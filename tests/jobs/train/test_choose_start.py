"""Training that begins from an encoder."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

import heedful.jobs.train.choose_start as start_module
from heedful import load
from heedful.api.train import train
from heedful.cli.main import main
from heedful.cli.shared.progress import TrainingProgress
from heedful.config import Config
from heedful.data.example import Example
from heedful.errors import ModelFolderError, TrainingError
from heedful.jobs.train.choose_start import find_start, read_start
from heedful.jobs.train.train import train_model, working_folder
from heedful.store.weights import read_weights
from heedful.training.dataset import read_data
from heedful.training.history import NoteEvent, ResumeEvent
from heedful.training.loop.checkpoint import load_checkpoint
from heedful.training.resolve import resolve
from heedful.training.setup import prepare
from heedful.training.start.from_encoder import FEW_TO_TUNE, START_LR
from heedful.training.start.head_fit import probe_inputs

SETTINGS = {"epochs": 2, "batch_size": 8, "lr": 0.01, "dropout": 0.0}
ENGLISH = ["The parcel came on Monday and it was not what we had asked for."] * 5
GERMAN = ["Das Paket kam am Montag und es war nicht das Bestellte."] * 5


@pytest.fixture
def pair(examples):
    made = examples(60)
    return made[:48], made[48:]


@pytest.fixture
def config(pretrained_folder):
    return Config().changed(start=str(pretrained_folder), **SETTINGS)


def weights(folder: Path) -> dict[str, np.ndarray]:
    found = read_weights(folder / "weights.safetensors")
    return {name.replace("head.vector.map", "head.map"): value for name, value in found.items()}


def same_encoder(first: Path, second: Path) -> bool:
    a, b = weights(first), weights(second)
    return all(np.allclose(a[name], b[name], atol=1e-6) for name in a.keys() & b.keys())


def stop_after(steps: int):
    left = iter(range(steps - 1))
    return lambda: next(left, None) is None


def test_with_tune_answer_the_encoder_stays_as_it_is(config, pair, pretrained_folder, pretrained, tmp_path):
    result = train_model(config.changed(tune="answer", ngrams=0), tmp_path / "model", examples=pair)
    assert [r.epoch for r in result.records] == [0] and result.best.epoch == 0
    shared = weights(tmp_path / "model").keys() & weights(pretrained_folder).keys()
    assert len(shared) == len(weights(pretrained_folder))
    assert same_encoder(tmp_path / "model", pretrained_folder)
    model = load(tmp_path / "model", threads=1)
    assert model.config.model.head == "mapped" and model.config.train.start.endswith("encoder")
    assert set(model.predict([e.text for e in pair[1]])) <= {"bad", "good"}
    head = weights(tmp_path / "model")
    texts = [e.text for e in pair[1]]
    scores = pretrained.embed(texts, normalize=True) @ head["head.answer.weight"].T + head["head.answer.bias"]
    shares = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(texts), shares, atol=1e-3)


def test_with_tune_all_the_encoder_changes(config, pair, pretrained_folder, tmp_path):
    train_model(config.changed(tune="all"), tmp_path / "model", examples=pair, should_stop=stop_after(3))
    now = load_checkpoint(working_folder(tmp_path / "model")).group("now")
    for name, value in read_weights(pretrained_folder / "weights.safetensors").items():
        assert not np.allclose(now[name.replace("head.map", "head.vector.map")].numpy(), value, atol=1e-6), name


def test_epoch_0_stays_the_best_where_training_does_harm(config, pair, pretrained_folder, tmp_path):
    wrong = [Example(e.text, {"bad": "good", "good": "bad"}[e.label]) for e in pair[0]]
    settings = config.changed(tune="all", lr=1e-12, epochs=2)
    result = train_model(settings, tmp_path / "model", examples=(wrong, pair[1]))
    assert [r.epoch for r in result.records] == [0, 1, 2]
    best = max(result.records, key=lambda r: (r.metrics["accuracy"], -r.valid_loss))
    assert result.best.epoch == best.epoch
    assert same_encoder(tmp_path / "model", pretrained_folder)


def test_the_card_of_an_answer_says_what_the_texts_kept_back_were_for(config, pair, examples, write_csv, tmp_path):
    data = str(write_csv(tmp_path / "in.csv", examples(60)))
    kept_back = train_model(config.changed(train=data, tune="answer"), tmp_path / "kept")
    given = train_model(config.changed(tune="answer"), tmp_path / "given", examples=pair)
    assert kept_back.facts.data["valid_texts_learned"] and "valid_texts_learned" not in given.facts.data
    cards = [(tmp_path / name / "README.md").read_text(encoding="utf-8") for name in ("kept", "given")]
    for card in cards:
        assert "with only the head trained, on the frozen vectors of" in card and "It chose nothing" in card
        assert " for validation. " in card and "epoch" not in card
    assert ["fitted again on all texts, including the validation set" in card for card in cards] == [True, False]


def test_the_card_counts_epochs_and_not_the_look_before_them(config, pair, tmp_path):
    result = train_model(config.changed(tune="all", lr=1e-12), tmp_path / "model", examples=pair)
    card = (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    assert [r.epoch for r in result.records] == [0, 1, 2] and "The validation set chose the epoch" in card
    expected = f"after epoch {result.best.epoch} of 2" if result.best.epoch else "before the first of 2 epochs"
    assert expected in card


@pytest.mark.parametrize("tune", ["answer", "all"])
def test_the_command_says_when_it_was_measured(pretrained_folder, examples, write_csv, tmp_path, tune, capsys):
    data = write_csv(tmp_path / "in.csv", examples(60))
    arguments = ["train", data, "-o", tmp_path / "model", "-q", "--start", pretrained_folder, "--tune", tune]
    assert main([*map(str, arguments), "--epochs", "2"]) == 0
    said = capsys.readouterr()
    assert ("(only the head was trained)" in said.out) == (tune == "answer")
    assert ("the model was also trained on the validation set" in said.err) == (tune == "answer")
    assert (" of 2" in said.out) == (tune == "all")


def test_few_texts_tune_the_answer_and_many_all_of_it(config):
    tuned = read_start(config.train.start).tuned
    assert tuned(Config(), FEW_TO_TUNE - 1).train.tune == "answer"
    assert tuned(Config(), FEW_TO_TUNE).train.tune == "all"
    for tune in ("answer", "all"):
        assert tuned(Config().changed(tune=tune), 10).train.tune == tune


@pytest.mark.parametrize("tune", ["answer", "all"])
def test_config_toml_trains_the_same_again(config, examples, write_csv, tmp_path, tune):
    data = write_csv(tmp_path / "in.csv", examples(60))
    train_model(config.changed(train=str(data), tune=tune), tmp_path / "first")
    train(None, tmp_path / "again", config=tmp_path / "first" / "config.toml")
    names = ("weights.safetensors", "config.toml")
    for name in names:
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_config_toml_trains_the_same_again_from_another_place(pair, pretrained_folder, tmp_path, monkeypatch):
    shutil.copytree(pretrained_folder, tmp_path / "enc")
    monkeypatch.chdir(tmp_path)
    train_model(Config().changed(start="enc", tune="answer", **SETTINGS), tmp_path / "model", examples=pair)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    again = load(tmp_path / "model", threads=1).config
    assert read_start(again.train.start).config.task == "embed"


def test_stopped_and_resumed_is_as_if_never_stopped(config, pair, tmp_path):
    settings = config.changed(tune="all")
    train_model(settings, tmp_path / "whole", examples=pair)
    cut = train_model(settings, tmp_path / "cut", examples=pair, should_stop=stop_after(8))
    assert cut.is_interrupted and [r.epoch for r in cut.records] == [0, 1]
    assert working_folder(tmp_path / "cut").is_dir()
    again = train_model(settings, tmp_path / "cut", examples=pair, resume=True)
    assert [r.epoch for r in again.records] == [0, 1, 2]
    whole, resumed = weights(tmp_path / "whole"), weights(tmp_path / "cut")
    assert all(np.array_equal(whole[name], resumed[name]) for name in whole)


def test_stopped_in_the_first_epoch_there_is_a_model_already(config, pair, tmp_path):
    cut = train_model(config.changed(tune="all"), tmp_path / "cut", examples=pair, should_stop=stop_after(2))
    assert cut.is_interrupted and cut.best.epoch == 0
    assert load(tmp_path / "cut").predict("great") in ("bad", "good")


def test_another_start_cannot_be_resumed(config, pair, pretrained_folder, tmp_path, reseal):
    train_model(config.changed(tune="all"), tmp_path / "cut", examples=pair, should_stop=stop_after(2))
    other = Path(shutil.copytree(pretrained_folder, tmp_path / "other"))
    changed = read_weights(other / "weights.safetensors")
    changed["embed.weight"] = changed["embed.weight"] + 1
    (other / "weights.safetensors").write_bytes(save(changed))
    reseal(other)
    with pytest.raises(TrainingError, match="cannot resume"):
        train_model(config.changed(tune="all", start=str(other)), tmp_path / "cut", examples=pair, resume=True)


def test_a_classifier_is_no_start(tiny_folder):
    with pytest.raises(ModelFolderError, match=r"is a classifier; train\.start must be an encoder"):
        read_start(str(tiny_folder))


def test_an_encoder_without_its_weights_is_no_start(pretrained_folder, tmp_path):
    copy = Path(shutil.copytree(pretrained_folder, tmp_path / "copy"))
    (copy / "weights.safetensors").unlink()
    with pytest.raises(ModelFolderError, match=r"has no weights\.safetensors: it can be run, not trained further"):
        read_start(str(copy))


def test_a_start_that_is_not_there_is_one_message(pair, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("nowhere", "./nowhere"):
        with pytest.raises(ModelFolderError, match="is not a folder"):
            train_model(Config().changed(start=name), tmp_path / "model", examples=pair)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("damage", ["shape", "name", "missing"])
def test_weights_that_do_not_fit_the_config_are_refused(config, pair, pretrained_folder, tmp_path, reseal, damage):
    copy = Path(shutil.copytree(pretrained_folder, tmp_path / "copy"))
    changed = read_weights(copy / "weights.safetensors")
    hops = changed.pop("pooler.hops.weight")
    changed |= {"shape": {"pooler.hops.weight": hops[:, :-1].copy()}, "name": {"other": hops}}.get(damage, {})
    (copy / "weights.safetensors").write_bytes(save(changed))
    reseal(copy)
    with pytest.raises(ModelFolderError, match=r"weights|config\.toml"):
        train_model(config.changed(start=str(copy)), tmp_path / "model", examples=pair)


@pytest.mark.parametrize("shipped", [(), ("en-small",)])
def test_auto_begins_from_nothing_where_no_encoder_is_shipped(monkeypatch, shipped):
    monkeypatch.setattr(start_module, "shipped_models", lambda: shipped)
    assert find_start(Config(), ENGLISH) is None


def test_auto_is_the_shipped_encoder_for_english_and_default_settings_only(monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(start_module, "shipped_models", lambda: ("en-base",))
    monkeypatch.setattr(start_module, "read_start", lambda name: asked.append(name) or "the start")
    assert find_start(Config(), ENGLISH) == "the start" and asked == ["en-base"]
    assert find_start(Config(), GERMAN) is None
    assert find_start(Config().changed(start="none"), ENGLISH) is None
    assert find_start(Config().changed(units=50), ENGLISH) is None
    assert find_start(Config().changed(tokens="subwords"), ENGLISH) is None
    assert find_start(Config().changed(lr=0.1, epochs=3), ENGLISH) == "the start"


def test_auto_without_a_shipped_encoder_trains_as_none_does(pair, tmp_path, monkeypatch, tiny_settings):
    monkeypatch.setattr(start_module, "shipped_models", lambda: ())
    for start in ("auto", "none"):
        train_model(Config().changed(start=start, **tiny_settings), tmp_path / start, examples=pair)
    names = [(tmp_path / start / "weights.safetensors").read_bytes() for start in ("auto", "none")]
    assert names[0] == names[1]


def test_the_watcher_is_told_where_it_begins(config, pair, tmp_path):
    events: list[object] = []
    train_model(config.changed(tune="answer"), tmp_path / "model", examples=pair, watcher=events.append)
    assert any("starting from" in e.message for e in events if isinstance(e, NoteEvent))


def test_texts_are_cut_in_training_where_the_model_will_cut_them(config, pair):
    settings = config.changed(max_tokens=3)
    material = read_data(settings, given=pair)
    prepared = prepare(settings, material, read_start(settings.train.start))
    assert prepared.config.text.max_tokens == 3
    assert max(len(ids) for ids in prepared.goal.train) <= 3


def test_a_learning_rate_that_was_chosen_stands_even_where_it_is_the_default(pretrained_folder, tmp_path):
    start, usual = read_start(str(pretrained_folder)), Config().train.lr
    assert usual != START_LR
    for config, expected in [
        (Config(), START_LR),
        (Config().changed(lr=usual), START_LR),  # the estimator says every setting, chosen or not
        (Config().changed(lr=0.01), 0.01),
        (Config().with_given(lr=usual), usual),
        (Config().with_given(lr=usual).with_given(start="en-base"), START_LR),
        (Config().with_given(lr=0.01).with_given(start="en-base", lr=usual), usual),
    ]:
        assert resolve(config, n_texts=10, start=start).train.lr == expected


@pytest.mark.parametrize(("chosen", "expected"), [({"lr": Config().train.lr}, Config().train.lr), ({}, START_LR)])
def test_the_learning_rate_of_a_flag_a_keyword_and_a_file_stands(
    examples, write_csv, pretrained_folder, tmp_path, chosen, expected
):
    data = write_csv(tmp_path / "in.csv", examples(60))
    settings = {"start": str(pretrained_folder), "tune": "all", "epochs": 1, **chosen}
    flags = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
    assert main(["train", str(data), "-o", str(tmp_path / "flags"), "-q", *flags]) == 0
    made = [load(tmp_path / "flags"), train(data, tmp_path / "keywords", **settings)]
    made.append(train(None, tmp_path / "file", config=tmp_path / "flags" / "config.toml"))
    assert [model.config.train.lr for model in made] == [expected] * 3
    assert len({(model.path / "weights.safetensors").read_bytes() for model in made}) == 1


def test_balanced_classes_reach_the_answer(config, examples):
    made = [e for i, e in enumerate(examples(80)) if e.label == "good" or i % 8 == 0]
    start, rare = read_start(config.train.start), {}
    for kind in ("none", "balanced"):
        settings = config.changed(class_weights=kind)
        prepared = prepare(settings, read_data(settings, given=(made, made[:10])), start)
        vectors, answer = probe_inputs(prepared.network, prepared.goal.train).vectors, prepared.network.head.answer
        scores = vectors @ answer.weight.detach().numpy().T + answer.bias.detach().numpy()
        rare[kind] = (scores[:, 0] > scores[:, 1]).mean()
    assert rare["balanced"] > rare["none"]


def test_the_progress_line_after_a_resume_has_the_best_metric(config, pair, tmp_path, capsys):
    settings = config.changed(tune="all", epochs=3)
    out = tmp_path / "model"
    train_model(settings, out, examples=pair, should_stop=stop_after(8))
    assert load_checkpoint(working_folder(out)) is not None
    shown = TrainingProgress()
    lines: list[str] = []
    shown._show = lambda what, *a, **_: lines.append(a[2]) if what.startswith("epoch") else None
    events: list[object] = []

    def watch(event):
        events.append(event)
        shown(event)

    train_model(settings, out, examples=pair, resume=True, watcher=watch)
    (resumed,) = [e for e in events if isinstance(e, ResumeEvent)]
    assert resumed.best is not None and resumed.best.is_best
    assert lines and all("best dev" in line and "no metric yet" not in line for line in lines)
    assert "resuming after 1 epoch, best dev" in capsys.readouterr().err
