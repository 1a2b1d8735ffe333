"""Training leaves what the hops read beside the model, and does not depend on it."""

from __future__ import annotations

import pytest
from tests.conftest import TINY, make_examples, train_tiny

from heedful.config import Config
from heedful.data.example import Example
from heedful.jobs.train import write_hops as keep_hops
from heedful.jobs.train.train import train_model
from heedful.runtime.model import load
from heedful.store.folder import read_folder
from heedful.store.results.hops_file import HOPS, has_atlas, read_atlas
from heedful.training.history import NoteEvent


def atlas_in(folder):
    return read_atlas(folder, read_folder(folder).fingerprint)


def test_training_keeps_what_the_hops_read_in_the_texts_kept_for_checking(tiny_folder):
    found = atlas_in(tiny_folder)
    assert (found["n_texts"], len(found["hops"]), found["labels_are"]) == (20, 3, "true")
    assert found["file"] == "the validation set"
    assert {part["label"] for part in found["hops"][0]["by_label"]} == {"bad", "good"}
    assert "`hops.json`" in (tiny_folder / "README.md").read_text(encoding="utf-8")


def test_no_stretch_of_a_text_is_in_it(tiny_folder):
    text = (tiny_folder / HOPS).read_text(encoding="utf-8")
    assert not any(example.text in text for example in make_examples(120) if len(example.text.split()) > 2)
    assert not any(word["places"] for hop in atlas_in(tiny_folder)["hops"] for word in hop["words"])


def test_the_file_of_texts_is_named_without_its_place(tmp_path, write_csv):
    train, valid = (write_csv(tmp_path / f"{name}.csv", make_examples(40)) for name in ("train", "valid"))
    train_model(Config().changed(**TINY, train=str(train), valid=str(valid), start="none"), tmp_path / "model")
    assert atlas_in(tmp_path / "model")["file"] == "valid.csv"
    assert str(tmp_path) not in (tmp_path / "model" / HOPS).read_text(encoding="utf-8")


def test_of_many_texts_some_are_taken(tmp_path, monkeypatch):
    monkeypatch.setattr(keep_hops, "MOST_TEXTS", 7)
    assert atlas_in(train_tiny(tmp_path / "model", epochs=1))["n_texts"] == 7
    chosen = keep_hops.some_examples([Example(str(i), "") for i in range(100)], seed=3)
    places = [int(example.text) for example in chosen]
    assert len(set(places)) == 7 and places == sorted(places)
    assert chosen == keep_hops.some_examples([Example(str(i), "") for i in range(100)], seed=3)


def test_numbers_are_no_labels(tmp_path):
    made = [Example(e.text, str(100.5 + 20 * (e.label == "good"))) for e in make_examples(60)]
    train_model(Config().changed(**TINY, task="regress", start="none"), tmp_path / "model", examples=(made[:40], made))
    found = atlas_in(tmp_path / "model")
    assert found["task"] == "regress" and found["labels_are"] == "predicted"
    assert [part["label"] for part in found["hops"][0]["by_label"]] == list(load(tmp_path / "model").labels)


def test_many_labels_are_those_that_the_model_answers(tmp_path):
    made = [Example(e.text, ("1" if e.label == "good" else "0", "01"[i % 2])) for i, e in enumerate(make_examples(60))]
    train_model(Config().changed(**TINY, start="none"), tmp_path / "model", examples=(made[:40], made))
    assert atlas_in(tmp_path / "model")["labels_are"] == "predicted"


@pytest.mark.parametrize("error", [ValueError("no words at all"), MemoryError(), OSError("disk full")])
def test_what_goes_wrong_here_does_not_fail_the_training(tmp_path, monkeypatch, error):
    def fails(*_, **__):
        raise error

    monkeypatch.setattr(keep_hops, "hop_atlas", fails)
    told, made = [], make_examples(60)
    result = train_model(
        Config().changed(**TINY), tmp_path / "model", examples=(made[:40], made[40:]), watcher=told.append
    )
    assert result.path == tmp_path / "model" and load(result.path).predict("great")
    assert not (tmp_path / "model" / HOPS).exists()
    notes = [event.message for event in told if isinstance(event, NoteEvent)]
    assert notes[-1].startswith("the hop atlas could not be saved") and str(error) in notes[-1]


def test_a_training_that_is_stopped_ends_at_once(tmp_path):
    made, calls = make_examples(60), iter(range(1000))
    result = train_model(
        Config().changed(**{**TINY, "epochs": 50}),
        tmp_path / "model",
        examples=(made[:40], made[40:]),
        should_stop=lambda: next(calls) > 12,
    )
    assert result.is_interrupted and result.path is not None
    assert not (result.path / HOPS).exists()


def test_training_again_makes_it_again(tmp_path):
    folder = train_tiny(tmp_path / "model", epochs=1)
    before = (folder / HOPS).read_bytes()
    made = make_examples(60, seed=9)
    train_model(Config().changed(**TINY), folder, examples=(made[:40], made[40:]), overwrite=True)
    assert (folder / HOPS).read_bytes() != before and atlas_in(folder) is not None


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, True),
        ({"task": "regress"}, True),
        ({"task": "tag"}, False),
        ({"task": "pair"}, False),
        ({"task": "translate"}, False),
        ({"pooler": "mean"}, False),
        ({"pooler": "max"}, False),
        ({"input": "audio"}, False),
        ({"input": "molecule"}, False),
        ({"input": "vectors"}, False),
    ],
)
def test_only_hops_over_the_words_of_one_text_have_one(settings, expected):
    config = Config().changed(**settings)
    assert has_atlas(config) is expected


def test_a_model_without_hops_of_that_kind_has_no_file(tmp_path):
    folder = train_tiny(tmp_path / "model", epochs=1, pooler="mean")
    assert not (folder / HOPS).exists()
    assert HOPS not in (folder / "README.md").read_text(encoding="utf-8")
