"""Training leaves the words that drive each label beside the model and in its card, and does not depend on them."""

from __future__ import annotations

import pytest
from tests.conftest import TINY, make_examples, train_tiny

from heedful.config import Config
from heedful.jobs.audit.audit import audit
from heedful.jobs.train import write_words
from heedful.jobs.train.train import train_model
from heedful.runtime.model import load
from heedful.store.folder import read_folder
from heedful.store.results.words_file import WORDS, read_words
from heedful.training.history import NoteEvent

HEADING = "## What drives each label"


def words_in(folder):
    return read_words(folder, read_folder(folder).fingerprint)


def card_of(folder):
    return (folder / "README.md").read_text(encoding="utf-8")


def test_training_keeps_the_words_of_the_validation_set(tiny_folder):
    tree = words_in(tiny_folder)
    assert (tree["n_texts"], tree["file"], tree["min_count"]) == (20, "the validation set", 3)
    assert {part["label"] for part in tree["labels"]} == {"bad", "good"}
    card = card_of(tiny_folder)
    assert card.count(HEADING) == 1 and card.index(HEADING) < card.index("## Heatmaps") < card.index("## Reproduce")
    for part in tree["labels"]:
        for word in part["supporting"][:5]:
            assert f"`{word['form']}` {word['mean']:+.2f}" in card


def test_no_excerpt_is_in_it_and_no_word_of_fewer_than_three_texts(tiny_folder):
    for part in words_in(tiny_folder)["labels"]:
        for word in (*part["supporting"], *part["opposing"]):
            assert word["n_texts"] >= 3 and word["examples"] == []


def test_the_model_stays_the_same(tiny_folder, tiny_copy):
    before = read_folder(tiny_copy).fingerprint
    model = load(tiny_copy, threads=1)
    write_words.keep_words(model, model.words(["the parcel was great"] * 20))
    assert read_folder(tiny_copy).fingerprint == before and load(tiny_copy, threads=1).predict("great")
    assert words_in(tiny_copy)["n_texts"] == 20 and card_of(tiny_copy).count(HEADING) == 1


def test_an_audit_leaves_the_section_in_the_card(tiny_copy, tmp_path, write_csv):
    section = card_of(tiny_copy).split(HEADING)[1].split("\n## ")[0]
    audit(load(tiny_copy, threads=1), write_csv(tmp_path / "in.csv", make_examples(30, seed=5)))
    assert section in card_of(tiny_copy) and "Not audited" not in card_of(tiny_copy)


def test_the_file_of_texts_is_named_without_its_folder(tmp_path, write_csv):
    train, valid = (write_csv(tmp_path / f"{name}.csv", make_examples(40)) for name in ("train", "valid"))
    train_model(Config().changed(**TINY, train=str(train), valid=str(valid), start="none"), tmp_path / "model")
    assert words_in(tmp_path / "model")["file"] == "valid.csv"
    assert str(tmp_path) not in (tmp_path / "model" / WORDS).read_text(encoding="utf-8")


@pytest.mark.parametrize("error", [ValueError("no words at all"), MemoryError(), OSError("disk full")])
def test_an_error_here_does_not_fail_the_training(tmp_path, monkeypatch, error):
    def fails(*_, **__):
        raise error

    monkeypatch.setattr(write_words, "label_words", fails)
    events, made = [], make_examples(60)
    result = train_model(
        Config().changed(**TINY), tmp_path / "model", examples=(made[:40], made[40:]), watcher=events.append
    )
    assert result.path == tmp_path / "model" and load(result.path).predict("great")
    assert not (tmp_path / "model" / WORDS).exists() and HEADING not in card_of(tmp_path / "model")
    notes = [event.message for event in events if isinstance(event, NoteEvent)]
    assert notes[-1].startswith("the words that drive each label could not be saved") and str(error) in notes[-1]


def test_a_model_without_contributions_has_no_section(tmp_path):
    folder = train_tiny(tmp_path / "model", epochs=1, head="pruned")
    assert not (folder / WORDS).exists() and HEADING not in card_of(folder)
