"""A test on rows that were trained on is noticed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heedful import load
from heedful.cli.main import main
from heedful.config import Config
from heedful.jobs.train.train import train_model
from heedful.jobs.training_row_warning import seen_warning
from heedful.store.training_rows import MOST, TrainedOn, is_trained_on


@pytest.fixture(scope="module")
def home(tmp_path_factory, examples, write_csv, tiny_settings):
    home = tmp_path_factory.mktemp("seen")
    write_csv(home / "train.csv", examples(200))
    write_csv(home / "other.csv", examples(60, seed=9))
    write_csv(home / "both.csv", [*examples(200)[:20], *examples(60, seed=9)])
    config = Config().changed(**tiny_settings, train=str(home / "train.csv"), start="none")
    train_model(config, home / "model")
    return home


@pytest.mark.parametrize("command", ["evaluate", "audit"])
def test_commands_warn_of_rows_that_were_trained_on(home, capsys, command):
    more = ["--no-keep", "-q"] if command == "audit" else []
    assert main([command, str(home / "model"), str(home / "train.csv"), *more]) == 0
    said = capsys.readouterr().err
    assert "rows were in the training data" in said and "has not seen" in said
    assert main([command, str(home / "model"), str(home / "other.csv"), *more]) == 0
    assert "training data" not in capsys.readouterr().err


def test_rows_that_overlap_are_counted(home, examples):
    """A tenth of the training file was kept back to choose the epoch, and was not learned."""
    model = load(home / "model")
    whole = seen_warning(model, [e.text for e in examples(200)], "train.csv")
    assert "180 of 200 rows" in whole
    learned = TrainedOn.from_dict(model.facts.trained_on)
    some = [e.text for e in [*examples(200)[:20], *examples(60, seed=9)]]
    found = learned.overlap(some)
    assert found.rows == 80 and not found.is_estimate and 14 <= found.seen <= 20


def test_of_many_rows_a_sample_tells_how_many():
    rows = [f"row {i}" for i in range(30_000)]
    learned = TrainedOn.of(rows)
    assert learned.is_sample and len(learned.hashes) == MOST
    half = learned.overlap([*rows[:10_000], *(f"other {i}" for i in range(10_000))])
    assert half.is_estimate and half.seen == pytest.approx(10_000, rel=0.15)
    assert learned.overlap(rows).seen == 30_000
    assert learned.overlap(f"other {i}" for i in range(20_000)).seen < 20
    assert TrainedOn.from_dict(learned.to_dict()).hashes.tolist() == learned.hashes.tolist()
    assert len(learned.to_dict()["hashes"]) < 10_000


def test_pairs_arrays_and_what_has_no_hash():
    learned = TrainedOn.of([("a", "b"), np.arange(3.0), object()])
    assert len(learned.hashes) == 2
    assert learned.overlap([("a", "b"), ("b", "a"), np.arange(3.0), object()]).seen == 2
    assert learned.overlap([]).seen == TrainedOn.of([]).overlap(["a"]).seen == 0


def test_a_model_without_hashes_says_nothing(tiny_model):

    old = type("Old", (), {"facts": replace(tiny_model.facts, trained_on=None)})
    assert seen_warning(old, ["x"], "x.csv") is None


@pytest.mark.parametrize(
    "kept", [{}, [], "x", {"hashes": "%", "is_sample": True}, {"hashes": "AAA=", "is_sample": True}, {"hashes": 1}]
)
def test_hashes_that_are_none_are_refused(kept):
    assert not is_trained_on(kept)
