"""What is said at the start of a training: where it starts, and which settings change nothing."""

from __future__ import annotations

import pytest

from heedful.config import Config, load_config
from heedful.jobs.train.choose_start import choose_start
from heedful.jobs.train.train import train_model
from heedful.jobs.train.unused_settings import OF_THE_LOOP, no_effect_notes
from heedful.training.history import NoteEvent

ENGLISH = ["The parcel came on Monday and it was not what we had asked for."] * 5
TITLES = ["Blue Garden Hose 20m", "Steel Kettle 1.7L", "Wireless Mouse Black"] * 3


def notes(config, out, examples):
    events: list[object] = []
    train_model(config, out, examples=examples, watcher=events.append)
    return [e.message for e in events if isinstance(e, NoteEvent)]


def test_all_settings_without_effect_are_named_in_one_line(pretrained_folder, examples, tmp_path):
    given = {"lr": 0.01, "batch_size": 8, "epochs": 5, "schedule": "cosine", "seed": 1}
    config = Config().with_given(start=str(pretrained_folder), tune="answer", **given)
    (line,) = [m for m in notes(config, tmp_path / "model", (examples(60), [])) if "no effect" in m]
    assert "lr, schedule, batch_size, epochs have no effect" in line
    assert "seed" not in line and "train.tune = all" in line


def test_what_the_encoder_overrules_is_named(pretrained_folder, examples, tmp_path):
    config = Config().with_given(start=str(pretrained_folder), tune="answer", units=77, max_tokens=50)
    (line,) = [m for m in notes(config, tmp_path / "model", (examples(60), [])) if "no effect" in m]
    assert "brings its own network and tokens: units has no effect" in line


def test_what_has_an_effect_is_not_named(pretrained_folder, examples, tmp_path):
    config = Config().with_given(start=str(pretrained_folder), tune="all", epochs=1, lr=0.01)
    assert not [m for m in notes(config, tmp_path / "model", (examples(60), [])) if "no effect" in m]


def test_a_whole_config_names_only_what_is_not_the_default(pretrained_folder, tmp_path):
    config = load_config(pretrained_folder / "config.toml").changed(tune="answer")
    (line, *_) = no_effect_notes(config, config, start="en-base")
    assert "batch_size" in line and "warmup" not in line


def test_every_name_is_a_setting():
    known = {**vars(Config().train), **vars(Config().model)}
    assert set(OF_THE_LOOP) <= set(known)


@pytest.mark.parametrize(
    ("settings", "texts", "why"),
    [
        ({}, TITLES, "do not look like English prose.*set train.start to en-base"),
        ({"start": "none"}, ENGLISH, "start is none"),
        ({"units": 50, "tokens": "subwords"}, ENGLISH, "tokens, units were chosen"),
        ({"encoder": "cnn"}, ENGLISH, "encoder was chosen"),
        ({"task": "tag"}, ENGLISH, "no encoder comes with heedful for task tag"),
        ({"input": "molecule"}, ENGLISH, "no encoder comes with heedful for input molecule"),
    ],
)
def test_training_from_scratch_has_a_reason(settings, texts, why):
    import re

    start, reason = choose_start(Config().changed(**settings), texts)
    assert start is None and re.search(why, reason)


def test_the_reason_is_said(examples, tmp_path, tiny_settings):
    config = Config().changed(**tiny_settings, start="none")
    assert "training from scratch: start is none" in notes(config, tmp_path / "model", (examples(60), []))
