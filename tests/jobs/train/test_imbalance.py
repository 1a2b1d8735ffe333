"""One label with most of the texts is noticed."""

from __future__ import annotations

from tests.conftest import TINY, make_examples

from heedful.config import Config
from heedful.jobs.train.train import train_model
from heedful.runtime.model import load
from heedful.training.history import NoteEvent


def unequal(n: int = 200, each: int = 10):
    good = [e for e in make_examples(3 * n) if e.label == "good"][:n]
    bad = [e for e in make_examples(3 * n, seed=3) if e.label == "bad"]
    return [*good, *bad[: n // each]]


def notes_of(config, out, examples):
    events: list[object] = []
    train_model(config, out, examples=(examples, []), watcher=events.append, checkpoints=False)
    return [event.message for event in events if isinstance(event, NoteEvent)]


def test_it_is_said_and_macro_f1_chooses_the_epoch(tmp_path):
    notes = notes_of(Config().changed(**TINY, start="none"), tmp_path / "model", unequal())
    assert any("have the label good" in note and "macro F1" in note for note in notes)
    assert load(tmp_path / "model").config.train.figure == "macro_f1"


def test_a_metric_that_was_chosen_stays(tmp_path):
    config = Config().with_given(**TINY, start="none", figure="accuracy")
    notes = notes_of(config, tmp_path / "model", unequal())
    assert any("look at macro F1" in note for note in notes)
    assert load(tmp_path / "model").config.train.figure == "accuracy"


def test_the_effect_of_class_weights_is_shown(tmp_path):
    notes = notes_of(Config().changed(start="none", epochs=1), tmp_path / "model", unequal())
    assert any("class_weights = balanced, in the same cross-validation" in note for note in notes)


def test_equal_labels_are_not_mentioned(tmp_path):
    notes = notes_of(Config().changed(**TINY, start="none"), tmp_path / "model", make_examples(60))
    assert not any("have the label" in note for note in notes)
    assert load(tmp_path / "model").config.train.figure == "accuracy"
