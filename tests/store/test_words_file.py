"""words.json may come from an untrusted source, and belongs to one model."""

from __future__ import annotations

import copy
import json
import os

import pytest
from tests.conftest import make_examples

import heedful
from heedful.errors import ModelFolderError
from heedful.store.cards.words_section import DRIVERS, with_words
from heedful.store.results.words_file import MOST_BYTES, WORDS, read_words, write_words
from heedful.store.results.words_form import MOST_LABELS, MOST_WORDS

FINGERPRINT = "that of some model"


@pytest.fixture(scope="module")
def tree(tiny_model):
    words = tiny_model.words([example.text for example in make_examples(80, seed=3)], top=30)
    return {**words.to_dict(), "shortcuts": [_shortcut("great")]}


def _shortcut(word):
    counts = {"n_texts": 9, "n_predicted": 8, "n_decided": 6, "n_label": 40}
    return {"word": word, "label": "good", **counts, "sentence": f"“{word}” may be a shortcut to good: …"}


@pytest.fixture
def kept(tree, tmp_path):
    """The tree as it is in the file, to be changed."""
    (tmp_path / "kept").mkdir()
    write_words(tmp_path / "kept", tree, FINGERPRINT)
    return read_words(tmp_path / "kept", FINGERPRINT)


def put(folder, content, *, of=FINGERPRINT):
    text = content if isinstance(content, str) else json.dumps({**content, "fingerprint": of})
    (folder / WORDS).write_text(text, encoding="utf-8")


def test_what_was_written_is_read_without_examples(kept, tree):
    assert kept.keys() == tree.keys()
    for ours, theirs in zip(kept["labels"], tree["labels"], strict=True):
        assert [w["form"] for w in ours["supporting"]] == [w["form"] for w in theirs["supporting"][:MOST_WORDS]]
        means = [w["mean"] for w in theirs["supporting"][:MOST_WORDS]]
        assert [w["mean"] for w in ours["supporting"]] == pytest.approx(means, rel=1e-3)
        assert not any(w["examples"] for w in ours["supporting"]) and any(w["examples"] for w in theirs["supporting"])


def test_a_model_that_changed_has_none(tmp_path, tree):
    write_words(tmp_path, tree, FINGERPRINT)
    assert read_words(tmp_path, "another model") is None and read_words(tmp_path / "nowhere", FINGERPRINT) is None


@pytest.mark.parametrize("wrong", ["", "{", "[]", "3", "null", "[" * 100_000, '{"a":' * 100_000, "\x00", "9" * 5000])
def test_other_content_is_none(tiny_copy, wrong):
    put(tiny_copy, wrong)
    assert read_words(tiny_copy, FINGERPRINT) is None
    assert heedful.load(tiny_copy, threads=1).predict("great")


def test_only_a_plain_small_file_of_the_folder_is_read(tmp_path, kept):
    inside, outside = tmp_path / "in", tmp_path / "kept"
    inside.mkdir()
    (inside / WORDS).symlink_to(outside / WORDS)
    assert read_words(outside, FINGERPRINT) == kept and read_words(inside, FINGERPRINT) is None
    (inside / WORDS).unlink()
    os.mkfifo(inside / WORDS)
    assert read_words(inside, FINGERPRINT) is None
    put(outside, json.dumps({**kept, "fingerprint": FINGERPRINT}) + " " * MOST_BYTES)
    assert read_words(outside, FINGERPRINT) is None
    (outside / WORDS).write_bytes(b"\xff\xfe{}")
    assert read_words(outside, FINGERPRINT) is None


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("format",), 2),
        (("model",), "x" * 400),
        (("n_texts",), -1),
        (("n_texts",), True),
        (("is_number",), 0),
        (("labels",), []),
        (("labels", 0, "bias"), float("nan")),
        (("labels", 0, "label"), None),
        (("labels", 0, "supporting", 0, "mean"), "1"),
        (("labels", 0, "supporting", 0, "form"), ["x"]),
        (("labels", 0, "supporting", 0, "examples"), [{"text": "x"}]),
        (("labels", 0, "supporting", 0, "n_texts"), 0),
        (("shortcuts", 0, "sentence"), "x" * 20_000),
        (("shortcuts", 0, "more"), 1),
        (("more",), 1),
    ],
)
def test_values_that_heedful_does_not_write_are_refused(tmp_path, kept, path, wrong):
    changed = copy.deepcopy(kept)
    at = changed
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = wrong
    put(tmp_path, changed)
    assert read_words(tmp_path, FINGERPRINT) is None


def test_long_names_and_many_labels_are_limited(tmp_path, tree):
    many = [{**tree["labels"][0], "label": f"{i} " + "x" * 999} for i in range(50)]
    write_words(tmp_path, {**tree, "labels": many, "n_labels": 50, "file": "f" * 999}, FINGERPRINT)
    tree = read_words(tmp_path, FINGERPRINT)
    assert len(tree["labels"]) == MOST_LABELS and len(tree["file"]) == 300
    with pytest.raises(ModelFolderError, match="cannot be written"):
        write_words(tmp_path, {**tree, "labels": [], "shortcuts": []}, FINGERPRINT)


def test_a_card_has_one_section_of_plain_words(kept):
    label = kept["labels"][0]
    label["label"], label["supporting"][0]["form"] = "<b>`x`|", "[evil](http://x)|`\n# y"
    card = "# m\n\ntext\n\n## Heatmaps\n\nNot audited.\n\n## Reproduce\n\nrun\n"
    once = with_words(card, kept)
    assert with_words(once, kept) == once and once.count(DRIVERS) == 1
    assert once.replace(once[once.index(DRIVERS) : once.index("## Heatmaps")], "") == card
    assert "| `bx` |" in once and "`evil(http://x)# y`" in once and "\n# y" not in once
    assert DRIVERS in with_words("# m\n", kept)
