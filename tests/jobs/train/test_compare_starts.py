"""Starts are compared by cross-validation, and the note says what was tried."""

from __future__ import annotations

import random

import pytest
from tests.conftest import TINY, make_examples

from heedful.config import Config
from heedful.data.example import Example
from heedful.errors import ConfigError
from heedful.jobs.train.compare_starts import NGRAMS
from heedful.jobs.train.train import train_model
from heedful.runtime.model import load
from heedful.training.history import NoteEvent

STEMS = {"gut": ["schön", "prächtig", "wunderbar"], "schlecht": ["kaputt", "furchtbar", "langsam"]}


def german(n: int, seed: int = 0) -> list[Example]:
    """Texts in which only the stem of a compound tells the label."""
    rng = random.Random(seed)
    made = []
    for i in range(n):
        label = list(STEMS)[i % 2]
        compound = (
            f"{rng.choice(STEMS[label])}{rng.choice('abcdefgh')}{rng.randrange(1000)}{rng.choice(['heit', 'keit'])}"
        )
        made.append(Example(f"das Paket von gestern {compound} steht im Keller", label))
    return made


def notes_of(config: Config, out, examples) -> list[str]:
    events: list[object] = []
    train_model(config, out, examples=examples, watcher=events.append, checkpoints=False)
    return [event.message for event in events if isinstance(event, NoteEvent)]


def test_words_that_were_never_seen_are_known_by_their_spelling(tmp_path):
    notes = notes_of(Config().changed(epochs=1), tmp_path / "model", (german(120), []))
    assert any(NGRAMS in note and "en-base" in note and "both" in note for note in notes)
    model, unseen = load(tmp_path / "model"), german(60, seed=1)
    right = [model.predict(example.text) == example.label for example in unseen]
    assert sum(right) >= 55
    if model.config.train.start == "none":
        assert any(note.startswith("training from scratch, with n-grams") for note in notes)
    assert model.config.text.ngrams > 0 and model.config.text.min_texts in (1, 2)


def test_without_comparing_the_language_decides(tmp_path):
    notes = notes_of(Config().changed(compare=False, epochs=1), tmp_path / "model", (german(60), []))
    assert not any("cross-validation" in note for note in notes)
    assert any("do not look like English" in note for note in notes)
    assert load(tmp_path / "model").config.text.ngrams > 0


def test_a_network_of_one_s_own_has_n_grams_only_if_asked(tmp_path):
    own = Config().changed(**TINY, start="none")
    pair = (make_examples(60), make_examples(20, seed=1))
    for out, ngrams in (("none", -1), ("asked", 500)):
        train_model(own.changed(ngrams=ngrams), tmp_path / out, examples=pair, checkpoints=False)
    assert load(tmp_path / "none").config.text.ngrams == 0
    asked = load(tmp_path / "asked")
    assert asked.config.text.ngrams == 500 and asked.featuriser.shape.n_ngrams <= 501


@pytest.mark.parametrize("settings", [{"head": "pruned"}, {"task": "regress"}])
def test_n_grams_where_they_cannot_be_are_refused(settings, tmp_path):
    config = Config().changed(**TINY, start="none", ngrams=100, **settings)
    numbers = [Example(e.text, "1.5" if e.label == "bad" else "2.5") for e in make_examples(40)]
    with pytest.raises(ConfigError, match=r"text\.ngrams"):
        train_model(config, tmp_path / "model", examples=(numbers, numbers[:10]))


def test_the_same_seed_gives_the_same_model_and_config_toml_gives_it_again(wide_folder, tmp_path):
    from tests.conftest import train_tiny

    train_tiny(tmp_path / "again", ngrams=5_000)
    for name in ("weights.safetensors", "ngrams.safetensors"):
        assert (tmp_path / "again" / name).read_bytes() == (wide_folder / name).read_bytes()
