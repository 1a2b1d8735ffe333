"""Taggers that also read training texts in another case."""

import pytest

from heedful.config import Config
from heedful.data.example import Example
from heedful.errors import ConfigError
from heedful.jobs.train.train import train_model
from heedful.runtime.model import load
from heedful.training.dataset import read_data

NAMES = ("Kim", "Ada", "Bo", "Ines", "Juri")
TEXTS = [Example(("Mr", name, "saw", "it"), ("O", "B-per", "O", "O")) for name in NAMES] * 8
TINY = {"task": "tag", "start": "none", "units": 8, "letters": 8, "dropout": 0.0, "lr": 0.03, "epochs": 6}


def test_only_the_training_texts_come_in_another_case_too():
    config = Config().with_given(other_case=0.5, **TINY)
    before, now = (read_data(one, given=(TEXTS, TEXTS)) for one in (Config().with_given(**TINY), config))
    assert list(now.train[: len(TEXTS)]) == list(before.train) == TEXTS
    assert len(now.train) == 1.5 * len(TEXTS)
    assert list(now.valid) == TEXTS


def test_texts_that_were_kept_back_are_not_learned_from_in_another_case():
    config = Config().with_given(other_case=1.0, **TINY)
    texts = [Example(("Mr", f"Kim{i}"), ("O", "B-per")) for i in range(40)]
    found = read_data(config, given=(texts, []))
    held = {one.text[1].lower() for one in found.valid}
    assert held
    assert not held & {one.text[1].lower() for one in found.train}


def test_it_is_for_taggers_of_texts():
    config = Config().with_given(other_case=0.5)
    with pytest.raises(ConfigError, match="other_case is for taggers of texts"):
        read_data(config, given=([Example("good", "a"), Example("bad", "b")] * 5, []))


@pytest.mark.slow
def test_a_tagger_learns_names_without_capitals_and_is_read_again(tmp_path):
    config = Config().with_given(other_case=1.0, lowercase=False, **TINY)
    result = train_model(config, tmp_path / "model", examples=(TEXTS, TEXTS))
    model = load(result.path)
    assert model.config.train.other_case == 1.0
    assert model.facts.parity < 1e-5
    assert model.predict([["mr", "kim", "saw", "it"]]) == [("O", "B-per", "O", "O")]
