"""hops.json may come from anywhere, and belongs to one model."""

from __future__ import annotations

import copy
import json
import os

import pytest

import heedful
from heedful.data.read import read_examples
from heedful.data.samples.customer_messages import messages_path
from heedful.errors import ModelFolderError
from heedful.explain.hops.atlas import SAID
from heedful.explain.hops.statistics import hop_atlas
from heedful.jobs.train.write_hops import keep_atlas, keep_message_hops
from heedful.store.digests import digest
from heedful.store.folder import read_folder
from heedful.store.results.hops_file import HOPS, MOST_BYTES, SMALL, SMALL_HOP, read_atlas, write_atlas
from heedful.store.results.hops_form import is_atlas
from heedful.store.shipped import HOME, shipped_models

FINGERPRINT = "that of some model"


@pytest.fixture(scope="module")
def tree():
    made, model = read_examples(messages_path("dev"), label="topic"), heedful.load("en-tiny", threads=1)
    return hop_atlas(model, [e.text for e in made], [e.label for e in made], file="in.csv").to_dict()


@pytest.fixture
def kept(tree):
    """The same as it is in the file, to be changed."""
    plain = json.loads(json.dumps(tree))
    assert is_atlas(plain) and plain["hops"][0]["words"][0]["places"] and plain["hops"][0]["by_label"][0]["words"]
    return plain


def put(folder, content, *, of=FINGERPRINT):
    """Write a file as a stranger would."""
    made = content if isinstance(content, str) else json.dumps({**content, "fingerprint": of})
    (folder / HOPS).write_text(made, encoding="utf-8")


def test_what_was_written_is_read(tmp_path, tree):
    assert write_atlas(tmp_path, tree, FINGERPRINT) == tmp_path / HOPS
    found = read_atlas(tmp_path, FINGERPRINT)
    assert found.keys() == tree.keys() and list(tmp_path.iterdir()) == [tmp_path / HOPS]
    assert found["likeness"][0] == pytest.approx(tree["likeness"][0], rel=1e-3)
    for ours, theirs in zip(found["hops"], tree["hops"], strict=True):
        assert [w["word"] for w in ours["words"]] == [w["word"] for w in theirs["words"]]
        assert [w["lift"] for w in ours["words"]] == pytest.approx([w["lift"] for w in theirs["words"]], rel=1e-3)
        assert ours["by_label"][0]["label"] == theirs["by_label"][0]["label"]


def test_a_model_that_changed_has_none(tmp_path, tree):
    write_atlas(tmp_path, tree, FINGERPRINT)
    assert read_atlas(tmp_path, "another model") is None


def test_where_there_is_no_file_there_is_none(tmp_path):
    assert read_atlas(tmp_path, FINGERPRINT) is None
    assert read_atlas(tmp_path / "nowhere", FINGERPRINT) is None


def test_the_model_loads_with_a_damaged_atlas(tiny_copy):
    put(tiny_copy, "{")
    assert read_atlas(tiny_copy, read_folder(tiny_copy).fingerprint) is None
    assert heedful.load(tiny_copy).predict("great")


@pytest.mark.parametrize(
    "wrong", ["", "{", "[]", "3", "null", "[" * 100_000, '{"a":' * 100_000, '{"graph": 3}', "\x00", "9" * 5000]
)
def test_what_is_no_atlas_is_none(tmp_path, wrong):
    put(tmp_path, wrong)
    assert read_atlas(tmp_path, FINGERPRINT) is None


def test_bytes_that_are_no_text_are_none(tmp_path):
    (tmp_path / HOPS).write_bytes(b"\xff\xfe{}")
    assert read_atlas(tmp_path, FINGERPRINT) is None


def test_a_file_without_end_is_not_read(tmp_path, kept):
    put(tmp_path, json.dumps({**kept, "fingerprint": FINGERPRINT}) + " " * MOST_BYTES)
    assert read_atlas(tmp_path, FINGERPRINT) is None


def test_what_is_no_plain_file_of_the_folder_is_not_opened(tmp_path, kept):
    (tmp_path / "out").mkdir()
    (tmp_path / "in").mkdir()
    put(tmp_path / "out", kept)
    assert read_atlas(tmp_path / "out", FINGERPRINT) == kept
    (tmp_path / "in" / HOPS).symlink_to(tmp_path / "out" / HOPS)
    assert read_atlas(tmp_path / "in", FINGERPRINT) is None
    (tmp_path / "in" / HOPS).unlink()
    os.mkfifo(tmp_path / "in" / HOPS)  # reading it would wait for ever
    assert read_atlas(tmp_path / "in", FINGERPRINT) is None
    (tmp_path / "in" / HOPS).unlink()
    (tmp_path / "in" / HOPS).mkdir()
    assert read_atlas(tmp_path / "in", FINGERPRINT) is None


HOP, WORD, PLACE = ("hops", 0), ("hops", 0, "words", 0), ("hops", 0, "words", 0, "places", 0)
LABEL = ("hops", 0, "by_label", 0)


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("format",), 2),
        (("format",), True),
        (("model",), "x" * 400),
        (("file",), None),
        (("task",), {"a": 1}),
        (("n_texts",), -1),
        (("n_texts",), True),
        (("n_words",), 2**60),
        (("n_words",), 1.5),
        (("labels_are",), "<script>"),
        (("labels_are",), ["true"]),
        (("map_words",), ["x"] * 1000),
        (("map_words",), ["one word too few"]),
        (("hops",), []),
        (("hops",), {}),
        ((*HOP, "number"), 2),
        ((*HOP, "entropy"), "0.5"),
        ((*HOP, "entropy"), float("nan")),
        ((*HOP, "state"), "asleep"),
        ((*HOP, "state"), []),
        ((*HOP, "shares"), {}),
        ((*HOP, "shares", "words"), None),
        ((*HOP, "is_dead"), 0),
        ((*HOP, "more"), 1),
        ((*HOP, "words"), [3]),
        ((*WORD, "word"), "x" * 400),
        ((*WORD, "word"), "\ud83d"),
        ((*WORD, "lift"), float("inf")),
        ((*WORD, "lift"), True),
        ((*WORD, "count"), "3"),
        ((*WORD, "places"), None),
        ((*PLACE, "text"), ""),
        ((*PLACE, "text"), "x" * 100_000),
        ((*PLACE, "spans"), []),
        ((*PLACE, "spans"), [[0]]),
        ((*PLACE, "spans", 0), [5, 2]),
        ((*PLACE, "spans", 0), [0, 10**6]),
        ((*PLACE, "weights"), [0.5] * 400),
        ((*PLACE, "weights"), []),
        ((*PLACE, "at"), 500),
        ((*PLACE, "n_words"), 0),
        ((*LABEL, "label"), 7),
        ((*LABEL, "words"), "many"),
        (("likeness",), [[1.0]]),
        (("likeness", 0), [1.0]),
        (("map",), []),
        (("duplicates",), [[1, 99]]),
        (("duplicates",), [[1]]),
        (("needed",), 0),
        (("notes",), [""]),
        (("notes",), "one"),
        (("suggestion",), "x" * 100_000),
        (("extra",), 1),
    ],
)
def test_every_value_is_of_its_type_and_length(tmp_path, kept, path, wrong):
    put(tmp_path, kept)
    assert read_atlas(tmp_path, FINGERPRINT) == kept
    *way, last = path
    at = kept
    for step in way:
        at = at[step]
    at[last] = wrong
    put(tmp_path, kept)
    assert read_atlas(tmp_path, FINGERPRINT) is None


def test_nothing_may_be_missing(tmp_path, kept):
    for name in kept:
        put(tmp_path, {key: value for key, value in kept.items() if key != name})
        assert read_atlas(tmp_path, FINGERPRINT) is None, name


def test_every_state_that_a_hop_can_have_is_known(kept):
    for state in ("alive", *SAID):
        kept["hops"][0]["state"] = state
        assert is_atlas(kept)


def examples_of(found):
    return [len(word["places"]) for hop in found["hops"] for word in hop["words"]]


def test_without_examples_no_stretch_of_a_text_is_kept(tmp_path, tree):
    write_atlas(tmp_path, tree, FINGERPRINT, examples=False)
    assert not any(examples_of(read_atlas(tmp_path, FINGERPRINT)))
    assert any(examples_of(tree)), "what was given must stay as it was"


def test_examples_go_where_the_file_would_be_large(tmp_path, tree):
    large = copy.deepcopy(tree)
    for hop in large["hops"]:
        first = {**hop["words"][0], "places": hop["words"][0]["places"][:1] * 3}
        hop["words"] = [{**first, "word": f"word{i}"} for i in range(50)]
    write_atlas(tmp_path, large, FINGERPRINT)
    assert (tmp_path / HOPS).stat().st_size <= SMALL + SMALL_HOP * len(tree["hops"])
    assert examples_of(read_atlas(tmp_path, FINGERPRINT)) == [1, 1, 1, *[0] * 47] * len(tree["hops"])


def test_more_words_than_anyone_reads_and_endless_labels_are_cut(tmp_path, tree):
    large = copy.deepcopy(tree)
    large["hops"][0]["words"] = large["hops"][0]["words"][:1] * 500
    large["hops"][0]["by_label"][0]["label"] = "y" * 5000
    write_atlas(tmp_path, large, FINGERPRINT)
    hop = read_atlas(tmp_path, FINGERPRINT)["hops"][0]
    assert len(hop["words"]) == 50 and len(hop["by_label"][0]["label"]) == 300


def test_half_a_pair_is_written_as_what_files_can_hold(tmp_path, tree):
    odd = copy.deepcopy(tree)
    odd["hops"][0]["words"][0]["word"] = "great\ud83d"
    write_atlas(tmp_path, odd, FINGERPRINT)
    assert read_atlas(tmp_path, FINGERPRINT)["hops"][0]["words"][0]["word"] == "great\ufffd"


def test_what_cannot_be_read_is_not_written(tmp_path, tree):
    write_atlas(tmp_path, tree, FINGERPRINT)
    before = (tmp_path / HOPS).read_bytes()
    endless = {**tree, "notes": ["x" * 9000] * 300}
    wrong = {**tree, "likeness": [[float("nan")]]}
    for bad in (endless, wrong):
        with pytest.raises(ModelFolderError, match="too much to be kept"):
            write_atlas(tmp_path, bad, FINGERPRINT)
        assert [file.name for file in tmp_path.iterdir()] == [HOPS] and (tmp_path / HOPS).read_bytes() == before


@pytest.mark.parametrize("name", shipped_models())
def test_a_shipped_model_has_a_small_one_of_its_own(name):
    folder = HOME / name
    stored = read_folder(folder)
    found = read_atlas(folder, stored.fingerprint, stored.graph)
    assert found is not None, "run heedful.jobs.train.write_hops.keep_message_hops"
    assert (folder / HOPS).stat().st_size < 60_000
    assert (found["model"], found["task"], len(found["hops"])) == (name, "embed", read_folder(folder).facts.n_hops)
    assert all(hop["words"] and any(word["places"] for word in hop["words"]) for hop in found["hops"])


def test_what_ships_is_what_would_be_made_now(tmp_path):
    model = heedful.load("en-tiny", threads=1)
    shipped, model.path = read_atlas(model.path, model.fingerprint, read_folder(model.path).graph), tmp_path
    keep_message_hops(model)
    made = read_atlas(tmp_path, model.fingerprint)
    assert made["n_texts"] == shipped["n_texts"]
    for ours, theirs in zip(made["hops"], shipped["hops"], strict=True):
        assert [w["word"] for w in ours["words"]] == [w["word"] for w in theirs["words"]]


def test_an_atlas_is_kept_for_the_model_beside_it(tiny_copy):
    model = heedful.load(tiny_copy, threads=1)
    keep_atlas(model, hop_atlas(model, ["the parcel was great"] * 4))
    assert read_atlas(tiny_copy, model.fingerprint)["n_texts"] == 4


def test_an_older_file_with_the_digest_of_the_graph_is_read(tmp_path, kept):
    (tmp_path / HOPS).write_text(json.dumps({**kept, "graph": digest(b"a graph")}), encoding="utf-8")
    assert read_atlas(tmp_path, FINGERPRINT, b"a graph") == kept
    assert read_atlas(tmp_path, FINGERPRINT, b"another graph") is None
    assert read_atlas(tmp_path, FINGERPRINT) is None
