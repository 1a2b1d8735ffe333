from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import onnx
import pytest

from heedful.errors import ModelFolderError
from heedful.runtime.model import load
from heedful.store import folder as folder_module
from heedful.store.folder import is_model_folder, read_folder, write_folder

FILES = {"config.toml": b"format = 1\n", "model.onnx": b"graph", "facts.json": b"{}"}


def hidden_leftovers(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name.startswith(".")]


def test_a_moved_folder_gives_equal_answers(tiny_model, tiny_copy):
    texts = ["the parcel was great", "awful and slow", ""]
    assert tiny_copy != tiny_model.path
    np.testing.assert_array_equal(load(tiny_copy, threads=1).predict_proba(texts), tiny_model.predict_proba(texts))


def test_a_folder_holds_no_code(tiny_folder):
    assert sorted(p.name for p in tiny_folder.iterdir()) == [
        "README.md", "config.toml", "facts.json", "history.jsonl", "hops.json", "model.onnx", "vocab.json",
        "weights.safetensors", "words.json",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["config.toml", "facts.json", "model.onnx", "vocab.json"])
def test_a_missing_file_is_named(tiny_copy, name):
    (tiny_copy / name).unlink()
    with pytest.raises(ModelFolderError, match=f"it has no {name}"):
        read_folder(tiny_copy)


def test_what_is_no_folder_is_refused(tmp_path):
    with pytest.raises(ModelFolderError, match="is not a folder"):
        read_folder(tmp_path / "nothing")
    (tmp_path / "file").write_text("x")
    with pytest.raises(ModelFolderError, match="is not a folder"):
        read_folder(tmp_path / "file")


def test_a_newer_format_is_a_clear_error(tiny_copy):
    config = tiny_copy / "config.toml"
    assert "format = 2" in config.read_text()
    config.write_text(config.read_text().replace("format = 2", "format = 3"))
    with pytest.raises(ModelFolderError, match=r"format is 3; this heedful reads formats 1 and 2.*newer"):
        read_folder(tiny_copy)


@pytest.mark.parametrize("name", ["config.toml", "facts.json", "model.onnx", "vocab.json"])
def test_a_link_that_leads_out_is_refused(tiny_copy, tmp_path, name):
    (tiny_copy / name).rename(tmp_path / name)
    (tiny_copy / name).symlink_to(tmp_path / name)
    with pytest.raises(ModelFolderError, match=f"{name} leads out of its folder"):
        read_folder(tiny_copy)


def test_a_folder_reached_through_a_link_is_read(tiny_copy, tmp_path):
    (tmp_path / "link").symlink_to(tiny_copy)
    assert read_folder(tmp_path / "link").facts.labels == ("bad", "good")


@pytest.mark.parametrize("damage", [b"", b"\x00" * 100, b"not a graph", "half"])
def test_a_damaged_graph_is_one_clear_error(tiny_copy, damage, capfd):
    graph = tiny_copy / "model.onnx"
    whole = graph.read_bytes()
    graph.write_bytes(whole[: len(whole) // 2] if damage == "half" else damage)
    with pytest.raises(ModelFolderError, match=r"model\.onnx"):
        load(tiny_copy)
    assert capfd.readouterr().err == ""


def test_a_graph_with_weights_elsewhere_is_refused(tiny_copy, reseal):
    model = onnx.load(tiny_copy / "model.onnx")
    onnx.save_model(
        model, tiny_copy / "model.onnx", save_as_external_data=True, location="weights.bin", size_threshold=0
    )
    assert (tiny_copy / "weights.bin").stat().st_size > 0
    reseal(tiny_copy)
    with pytest.raises(ModelFolderError, match=r"a constant has a field 1[34] that heedful does not write"):
        load(tiny_copy)


def test_a_reference_written_in_an_unusual_way_is_refused_too(tiny_copy, reseal):
    """A length of 8 in two bytes (0x88 0x00) instead of one: protobuf reads it just the same."""
    tensor = onnx.TensorProto(name="w", data_type=1, dims=[1], data_location=onnx.TensorProto.EXTERNAL)
    entry = b"\x0a\x88\x00location\x12\x08/etc/foo"
    raw = tensor.SerializeToString() + b"\x6a" + bytes([len(entry)]) + entry  # field 13, external_data
    assert onnx.TensorProto.FromString(raw).external_data[0].key == "location"
    model = onnx.load(tiny_copy / "model.onnx").SerializeToString()
    graph = b"\x2a" + bytes([len(raw)]) + raw  # field 5 of the graph, initializer
    (tiny_copy / "model.onnx").write_bytes(model + b"\x3a" + bytes([len(graph)]) + graph)
    reseal(tiny_copy)
    with pytest.raises(ModelFolderError, match="the model has graph 2 times"):
        load(tiny_copy)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{", "not readable"),
        (b"[]", "not readable"),
        (b'{"words": [1, 2]}', "not a list of words"),
        (b'{"words": ["a", "a"]}', "a word twice"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_damaged_vocab_is_a_clear_error(tiny_copy, content, problem):
    (tiny_copy / "vocab.json").write_bytes(content)
    with pytest.raises(ModelFolderError, match=problem):
        read_folder(tiny_copy)


@pytest.mark.parametrize("change", [lambda words: [*words, "one", "more"], lambda words: words[:-1]])
def test_a_vocab_of_another_model_is_found_when_loading(tiny_copy, reseal, change):
    words = json.loads((tiny_copy / "vocab.json").read_text())["words"]
    (tiny_copy / "vocab.json").write_text(json.dumps({"words": change(words)}))
    reseal(tiny_copy)
    with pytest.raises(ModelFolderError, match=r"the vocab has .* facts\.json says"):
        load(tiny_copy)


@pytest.mark.parametrize("change", [{"labels": ["a", "b", "c"]}, {"n_hops": 4}, {"width": 5}])
def test_facts_of_another_model_are_found_when_loading(tiny_copy, change):
    facts = json.loads((tiny_copy / "facts.json").read_text())
    (tiny_copy / "facts.json").write_text(json.dumps({**facts, **change}))
    with pytest.raises(ModelFolderError, match=r"by facts\.json"):
        load(tiny_copy)


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"labels": [], "n_hops": 1, "width": 1, "heedful": "0"}'])
def test_damaged_facts_are_a_clear_error(tiny_copy, content):
    (tiny_copy / "facts.json").write_text(content)
    with pytest.raises(ModelFolderError, match=r"facts\.json"):
        read_folder(tiny_copy)


def test_what_is_written_is_there_and_nothing_else(tmp_path):
    write_folder(tmp_path / "deep" / "model", FILES)
    assert {p.name: p.read_bytes() for p in (tmp_path / "deep" / "model").iterdir()} == FILES
    assert hidden_leftovers(tmp_path / "deep") == []


def test_a_target_that_exists_needs_overwrite(tmp_path):
    write_folder(tmp_path / "model", FILES)
    with pytest.raises(ModelFolderError, match="already exists"):
        write_folder(tmp_path / "model", FILES)
    write_folder(tmp_path / "model", {**FILES, "facts.json": b"new"}, overwrite=True)
    assert (tmp_path / "model" / "facts.json").read_bytes() == b"new"
    assert hidden_leftovers(tmp_path) == []


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_folder_that_is_no_model_is_never_overwritten(tmp_path, overwrite):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"cat")
    assert not is_model_folder(tmp_path / "photos")
    with pytest.raises(ModelFolderError):
        write_folder(tmp_path / "photos", FILES, overwrite=overwrite)
    assert [p.name for p in (tmp_path / "photos").iterdir()] == ["cat.jpg"]


def test_an_empty_folder_may_be_filled_and_a_file_may_not(tmp_path):
    (tmp_path / "empty").mkdir()
    write_folder(tmp_path / "empty", FILES, overwrite=True)
    assert is_model_folder(tmp_path / "empty")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ModelFolderError, match="is not a model"):
        write_folder(tmp_path / "file", FILES, overwrite=True)
    with pytest.raises(ModelFolderError, match="cannot be written"):
        write_folder(tmp_path / "file" / "model", FILES)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_failure_while_writing_leaves_nothing(tmp_path, monkeypatch):
    def full_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(ModelFolderError, match="No space left"):
        write_folder(tmp_path / "model", FILES)
    assert list(tmp_path.iterdir()) == []


def test_a_failure_while_overwriting_leaves_the_old_model(tmp_path, monkeypatch):
    write_folder(tmp_path / "model", FILES)
    rename = Path.rename

    def fails_for_the_new_one(self: Path, target: Path) -> Path:
        if self.name.endswith(".new"):
            raise OSError(5, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(folder_module.Path, "rename", fails_for_the_new_one)
    with pytest.raises(ModelFolderError, match="Input/output"):
        write_folder(tmp_path / "model", {**FILES, "facts.json": b"new"}, overwrite=True)
    assert (tmp_path / "model" / "facts.json").read_bytes() == b"{}"
    assert hidden_leftovers(tmp_path) == []


def test_an_interrupt_while_writing_leaves_nothing(tmp_path, monkeypatch):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(folder_module, "move_into_place", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_folder(tmp_path / "model", FILES)
    assert list(tmp_path.iterdir()) == []


def test_a_half_copied_folder_is_no_model(tiny_folder, tmp_path):
    (tmp_path / "half").mkdir()
    for name in ("config.toml", "facts.json", "vocab.json"):
        shutil.copy(tiny_folder / name, tmp_path / "half")
        with pytest.raises(ModelFolderError):
            load(tmp_path / "half")
