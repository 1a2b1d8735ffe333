"""The complete config, by what was chosen, the task, the input, the start and the number of texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from heedful.config import Config
from heedful.errors import ConfigError
from heedful.inputs import INPUTS
from heedful.tasks.pair import TASK as PAIR
from heedful.tasks.tag.start import EncoderTagStart, TagStart
from heedful.training.resolve import resolve
from heedful.training.start.from_encoder import FEW_TO_TUNE, START_LR, EncoderStart

USUAL = Config()
ENCODER_CONFIG = USUAL.changed(task="embed", head="vector", tokens="subwords", max_tokens=512, units=300, dropout=0.1)
TAGGER_CONFIG = USUAL.changed(task="tag", head="tag", pooler="each", letters=50, max_tokens=200)
ENCODER = EncoderStart("en-base", Path("en-base"), ENCODER_CONFIG, None, {})
TAGGER = TagStart("tagger", TAGGER_CONFIG, None, {}, ("A", "B"))
TAGGER_OF_ENCODER = EncoderTagStart("en-base", ENCODER_CONFIG, None, {}, (), None)

CASES = [
    # chosen settings, start, number of texts, expected settings
    ({}, None, 100, {"batch_size": 16, "epochs": 20, "start": "none", "tune": "auto"}),
    ({}, None, 5_000, {"batch_size": 32, "epochs": 10}),
    ({}, None, 50_000, {"batch_size": 64, "epochs": 5}),
    ({"epochs": 7, "batch_size": 3}, None, 100, {"batch_size": 3, "epochs": 7}),
    ({"input": "molecule"}, None, 100, dict(INPUTS["molecule"].defaults)),
    ({"input": "molecule", "units": 9}, None, 100, {**INPUTS["molecule"].defaults, "units": 9}),
    ({"input": "molecule", "reach": "all"}, None, 100, {"encoder": "transformer", "places": False}),
    ({"task": "pair"}, None, 100, dict(PAIR.defaults)),
    ({"task": "tag", "input": "graph"}, None, 100, {"encoder": "graph_attention", "epochs": 300, "lr": 5e-3}),
    ({"task": "tag", "input": "graph", "epochs": 4}, None, 100, {"epochs": 4}),
    ({}, ENCODER, 100, {"start": "en-base", "units": 300, "tokens": "subwords", "max_tokens": 512, "head": "mapped"}),
    ({"units": 7, "dropout": 0.3, "max_tokens": 9}, ENCODER, 100, {"units": 300, "dropout": 0.3, "max_tokens": 9}),
    ({}, ENCODER, 100, {"lr": START_LR}),
    ({"lr": USUAL.train.lr}, ENCODER, 100, {"lr": USUAL.train.lr}),
    ({}, ENCODER, FEW_TO_TUNE - 1, {"tune": "answer"}),
    ({}, ENCODER, FEW_TO_TUNE, {"tune": "all"}),
    ({"tune": "all"}, ENCODER, 10, {"tune": "all"}),
    ({"task": "pair"}, ENCODER, 100, {"head": "likeness", "tune": "answer"}),
    ({"task": "pair", "head": "gated"}, ENCODER, 100, {"head": "gated", "tune": "all"}),
    ({"task": "tag", "units": 7}, TAGGER, 100, {"start": "tagger", "units": USUAL.model.units, "letters": 50}),
    ({"task": "tag"}, TAGGER, 100, {"tune": "all", "max_tokens": 200, "lr": USUAL.train.lr}),
    ({"task": "tag", "units": 7}, TAGGER_OF_ENCODER, 100, {"start": "en-base", "units": 7, "letters": 100}),
    ({"task": "tag"}, TAGGER_OF_ENCODER, 100, {"head": "tag", "embed_width": 1, "max_tokens": 512, "tune": "all"}),
]  # fmt: skip


@pytest.mark.parametrize(("chosen", "start", "n_texts", "expected"), CASES)
def test_a_config_is_completed_and_resolving_it_again_changes_nothing(chosen, start, n_texts, expected):
    config = resolve(Config().with_given(**chosen), n_texts=n_texts, start=start)
    assert config == config.changed(**expected)
    assert resolve(config, n_texts=n_texts, start=start) == config


def test_settings_that_nobody_chose_give_way_to_defaults_of_the_task():
    config = Config().changed(task="pair", head="concat")
    assert resolve(config, n_texts=100).model.head == "gated"
    assert resolve(config, n_texts=100, start=ENCODER).model.head == "likeness"


def test_layers_that_do_not_fit_the_task_are_refused():
    with pytest.raises(ConfigError, match="task tag needs pooler each and head tag"):
        resolve(Config().with_given(task="tag", pooler="mean"), n_texts=100)


def test_the_config_that_was_asked_for_stays_as_it_is():
    asked = Config().with_given(lr=0.01)
    resolve(asked, n_texts=100, start=ENCODER)
    assert asked == Config().changed(lr=0.01) and asked.given == {"lr"}


@pytest.mark.parametrize(
    ("chosen", "mean_characters", "expected"),
    [({}, 100, 0.1), ({}, 1_300, 0.0), ({"context_dropout": 0.2}, 1_300, 0.2), ({"head": "pruned"}, 1_300, 0.0)],
)
def test_long_texts_are_always_answered_with_context(chosen, mean_characters, expected):
    config = Config().with_given(start="none", **chosen)
    assert resolve(config, n_texts=100, mean_characters=mean_characters).model.context_dropout == expected
