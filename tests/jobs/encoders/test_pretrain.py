"""An encoder without a teacher."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from heedful.api.pretrain import pretrain
from heedful.errors import ConfigError, DataError, TrainingError
from heedful.jobs.encoders.encoder import encoder_config
from heedful.jobs.encoders.pretrain import neighbours, pretrain_model, read_pairs, sentences
from heedful.jobs.train.train import working_folder


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def weights(folder: Path) -> bytes:
    return (folder / "weights.safetensors").read_bytes()


def stop_after(steps: int):
    left = iter(range(steps - 1))
    return lambda: next(left, None) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n ", []),
        ("One", ["One"]),
        ("One. Two! Three? Four… Five", ["One.", "Two!", "Three?", "Four…", "Five"]),
        ("It cost 3.50 at example.com today. Fine.", ["It cost 3.50 at example.com today.", "Fine."]),
        ("One.\n\nTwo.\tThree.", ["One.", "Two.", "Three."]),
        ("Ends with spaces.  ", ["Ends with spaces."]),
        ("今天很好。 明天下雨。", ["今天很好。", "明天下雨。"]),
    ],
)
def test_sentences_end_where_their_marks_are(text, expected):
    assert list(sentences(text)) == expected


def test_a_closing_quote_belongs_to_its_sentence():
    assert list(sentences('He said "Go." Then he left.')) == ['He said "Go."', "Then he left."]


def test_chinese_and_japanese_put_no_space_after_a_sentence():
    assert list(sentences("今天很好。明天下雨！你呢？")) == ["今天很好。", "明天下雨！", "你呢？"]


def test_in_a_text_file_lines_follow_each_other_and_an_empty_line_ends_a_document(tmp_path):
    path = write(tmp_path / "a.txt", "A. B.\nC.\n\nD.\n \nE. F.\n")
    assert neighbours(path) == [("A.", "B."), ("B.", "C."), ("E.", "F.")]


def test_a_packed_text_file_is_a_text_file(tmp_path):
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"A.\nB.\n"))
    assert neighbours(str(tmp_path / "a.txt.gz")) == [("A.", "B.")]


def test_the_ending_of_a_text_file_may_be_in_capitals(tmp_path):
    assert neighbours(write(tmp_path / "A.TXT", "A.\nB.\n")) == [("A.", "B.")]


def test_in_other_files_each_row_is_a_document(tmp_path):
    path = write(tmp_path / "a.csv", "text,label\nA. B.,x\nC.,x\nD. E. F.,y\n")
    assert neighbours(path, text="text") == [("A.", "B."), ("D.", "E."), ("E.", "F.")]


def test_a_sentence_is_not_paired_with_itself(tmp_path):
    assert neighbours(write(tmp_path / "a.txt", "A.\nA.\nB.\n")) == [("A.", "B.")]


def test_pairs_are_two_columns_and_empty_ones_are_left_out(tmp_path):
    path = write(tmp_path / "a.csv", "q,other,a\none,x,two\n,x,three\nfour,x, \nfive,x,six\n")
    assert read_pairs(path, ("q", "a")) == [("one", "two"), ("five", "six")]
    assert read_pairs(path, ("a", "q")) == [("two", "one"), ("six", "five")]


def test_a_fault_in_a_row_is_named_by_its_line(tmp_path):
    path = write(tmp_path / "a.jsonl", '{"q": "one", "a": "two"}\n{"q": "one", "a": 3}\n')
    with pytest.raises(DataError, match=r"a\.jsonl, line 2: a is 3, expected a text"):
        read_pairs(path, ("q", "a"))
    path = write(tmp_path / "b.jsonl", '{"q": "one", "a": "two"}\n\n{"q": "one"}\n')
    with pytest.raises(DataError, match=r"b\.jsonl, line 3: no column 'a'"):
        read_pairs(path, ("q", "a"))
    path = write(tmp_path / "c.csv", "question,answer\none,two\n")
    with pytest.raises(DataError, match=r"line 2: no column 'anwser'. Did you mean answer\?"):
        read_pairs(path, ("question", "anwser"))


@pytest.fixture
def faq(tmp_path, examples):
    made = examples(80, seed=4)
    rows = [f"{a.text},{b.text}" for a, b in zip(made[::2], made[1::2], strict=True)]
    return write(tmp_path / "faq.csv", "\n".join(["q,a", *rows]) + "\n")


@pytest.mark.parametrize("encoder", ["static", "transformer"])
def test_pairs_make_an_encoder(faq, encoder_settings, tmp_path, encoder):
    model = pretrain(faq, tmp_path / "model", pairs="q,a", **{**encoder_settings, "encoder": encoder})
    assert model.task.name == "embed" and model.width == 16 and set(model.facts.metrics) == {"partner_found", "loss"}
    assert model.facts.data["pairs"] == 36 and model.facts.data["valid_texts"] == 8
    assert sorted(p.name for p in tmp_path.iterdir()) == ["faq.csv", "model"]


def test_running_text_makes_an_encoder(pretrained):
    assert pretrained.facts.data["pairs"] > 50 and "partner_found" in pretrained.facts.metrics


def test_config_toml_makes_the_same_again(pretrained_folder, tmp_path):
    pretrain(None, tmp_path / "again", config=pretrained_folder / "config.toml")
    assert weights(tmp_path / "again") == weights(pretrained_folder)


def test_config_toml_of_pairs_makes_the_same_again(faq, encoder_settings, tmp_path):
    settings = {**encoder_settings, "encoder": "static"}
    pretrain(faq, tmp_path / "first", pairs="q,a", **settings)
    pretrain(None, tmp_path / "again", config=tmp_path / "first" / "config.toml")
    assert weights(tmp_path / "again") == weights(tmp_path / "first")


def test_stopped_and_resumed_is_as_if_never_stopped(faq, encoder_settings, tmp_path):
    made = encoder_config(**{**encoder_settings, "encoder": "static"}, train=faq, pairs="q,a")
    pretrain_model(made, tmp_path / "whole")
    assert pretrain_model(made, tmp_path / "cut", should_stop=stop_after(4)).is_interrupted
    assert working_folder(tmp_path / "cut").is_dir()
    pretrain_model(made, tmp_path / "cut", resume=True)
    assert weights(tmp_path / "cut") == weights(tmp_path / "whole")


@pytest.mark.parametrize("change", [{"temperature": 0.5}, {"kept_texts": 2}, {"seed": 1}])
def test_what_changes_the_result_cannot_be_resumed(faq, encoder_settings, tmp_path, change):
    made = encoder_config(**{**encoder_settings, "encoder": "static"}, train=faq, pairs="q,a")
    pretrain_model(made, tmp_path / "cut", should_stop=stop_after(1))
    with pytest.raises(TrainingError, match="cannot resume"):
        pretrain_model(made.changed(**change), tmp_path / "cut", resume=True)


def test_wrong_inputs_are_one_message_and_leave_nothing(tmp_path, encoder_settings):
    few = write(tmp_path / "few.txt", "A. B. C.\n")
    made = encoder_config(**encoder_settings)
    with pytest.raises(ConfigError, match="needs a file of texts"):
        pretrain_model(made, tmp_path / "model")
    with pytest.raises(DataError, match="2 pairs of texts, expected at least 20"):
        pretrain_model(made.changed(train=few), tmp_path / "model")
    with pytest.raises(DataError, match="no such file"):
        pretrain_model(made.changed(train=str(tmp_path / "nothing.txt")), tmp_path / "model")
    assert [p.name for p in tmp_path.iterdir()] == ["few.txt"]
