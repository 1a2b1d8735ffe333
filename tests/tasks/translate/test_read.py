"""Texts and their translations."""

import json

import pytest

from heedful.config import Config
from heedful.data.columns import Columns
from heedful.errors import ConfigError, DataError, ModelFolderError
from heedful.tasks.translate.read import TARGET, TwoLanguages, read_sources, read_task_file
from heedful.text.bpe import BOS_EOS

PAIRS = [("one two", "eins zwei."), ("two one", "zwei eins."), ("one", "eins.")] * 5
CONFIG = Config(task="translate").changed(tokens="subwords", vocab_size=60, max_tokens=6, lowercase=False)


@pytest.fixture(scope="module")
def languages() -> TwoLanguages:
    return TwoLanguages.learned(PAIRS, CONFIG)


def test_each_language_has_pieces_of_its_own(languages):
    assert languages.tokeniser.text_of(languages.ids("one two")) == "one two"
    assert languages.target.text_of(languages.target.ids("zwei eins.")) == "zwei eins."
    assert languages.tokeniser.forms() != languages.target.forms()


def test_a_translation_ends_with_an_edge_and_is_cut_like_the_text(languages):
    item = languages.both("one two", "eins zwei.")
    assert item.arrays["ids"].tolist() == languages.ids("one two").tolist()
    assert item.arrays[TARGET].tolist() == [*languages.target.ids("eins zwei."), BOS_EOS]
    long = languages.both("one two " * 9, "eins zwei. " * 9)
    assert len(long.arrays["ids"]) == 6
    assert long.arrays[TARGET].tolist() == [*languages.target.ids("eins zwei. " * 9)[:6], BOS_EOS]


def test_json_brings_it_back(languages):
    again = TwoLanguages.from_json(languages.to_json())
    assert again.max_tokens == 6
    assert again.both(*PAIRS[0]).tobytes() == languages.both(*PAIRS[0]).tobytes()


@pytest.mark.parametrize("broken", ["", "[]", "{}", '{"source": {}, "target": {}, "max_tokens": 3}'])
def test_a_file_that_is_not_one_is_refused(broken):
    with pytest.raises(ModelFolderError, match="not readable"):
        TwoLanguages.from_json(broken)


def test_a_length_that_is_no_length_is_refused(languages):
    tree = json.loads(languages.to_json()) | {"max_tokens": 0}
    with pytest.raises(ModelFolderError, match="max_tokens is 0, expected 1 to"):
        TwoLanguages.from_json(json.dumps(tree))


@pytest.mark.parametrize("settings", [{"tokens": "words"}, {"vectors": "glove.txt"}])
def test_settings_that_are_for_words_are_refused(settings):
    with pytest.raises(ConfigError, match="translate"):
        TwoLanguages.learned(PAIRS, CONFIG.changed(**settings))


def test_files_have_a_text_and_its_translation(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("id\ten\tde\n1\tone\teins\n2\ttwo\tzwei\n", encoding="utf-8")
    examples, columns = read_task_file(path, CONFIG, asked=Columns("en", "de"))
    assert [(e.text, e.label) for e in examples] == [("one", "eins"), ("two", "zwei")]
    assert columns == Columns("en", "de")
    assert [text for _, text in read_sources(path, CONFIG, asked=Columns("en"))] == ["one", "two"]


def test_faults_in_a_file_are_said_with_their_line(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("en\tde\none\teins\ntwo\t\n", encoding="utf-8")
    with pytest.raises(DataError, match="line 3: de is empty"):
        read_task_file(path, CONFIG, asked=Columns("en", "de"))
    path.write_text("text\ta\tb\none\t1\t0\n", encoding="utf-8")
    with pytest.raises(DataError, match="names several columns"):
        read_task_file(path, CONFIG, asked=Columns("text", "a,b"))
