"""Folders that a stranger made to do harm: each is refused in one line, and the process lives on."""

from __future__ import annotations

import json

import pytest
from benchmarks.crafted import CASES, craft

from heedful.errors import ModelFolderError
from heedful.jobs.train.train import train_model
from heedful.runtime.model import load


@pytest.fixture(scope="module")
def translator_folder(tmp_path_factory):
    from heedful.config import Config
    from heedful.data.example import Example

    config = Config().changed(
        task="translate", tokens="subwords", vocab_size=60, units=8, embed_width=8, attention_width=8, n_hops=1,
        decoder_units=8, epochs=1, batch_size=8, start="none",
    )  # fmt: skip
    made = [Example(f"a {word} dog", f"ein {word} Hund") for word in ("red", "big", "old", "new")] * 8
    out = tmp_path_factory.mktemp("translator") / "model"
    train_model(config, out, examples=(made, made[:8]))
    return out


@pytest.fixture
def source(request, tiny_folder, subword_model):
    def folder(kind):
        return {
            "words": lambda: tiny_folder,
            "subwords": lambda: subword_model.path,
            "translator": lambda: request.getfixturevalue("translator_folder"),
        }[kind]()

    return folder


@pytest.mark.parametrize("name", CASES)
def test_a_crafted_folder_is_refused_in_one_line(name, source, tmp_path):
    case = CASES[name]
    folder = craft(source(case.of), tmp_path / name, case)
    with pytest.raises(ModelFolderError) as refused:
        model = load(folder, threads=1)
        assert case.on_gradient, "the folder was loaded"
        model.explain("the parcel was great", methods=("gradient",))
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 500


@pytest.mark.parametrize("kind", ["words", "subwords", "translator"])
def test_the_folders_that_these_are_made_from_are_loaded(kind, source, tmp_path):
    from benchmarks.crafted import Crafted

    load(craft(source(kind), tmp_path / "model", Crafted(lambda _: None)), threads=1)


@pytest.mark.parametrize("name", ["config.toml", "vocab.json", "model.onnx", "weights.safetensors"])
def test_a_file_that_was_changed_is_named(tiny_folder, tiny_copy, tmp_path, name):
    content = (tiny_copy / name).read_bytes()
    changed = {
        "config.toml": content.replace(b"lowercase = true", b"lowercase = false"),
        "vocab.json": content.replace(b"great", b"grate"),
        "model.onnx": content[:-200] + bytes(byte ^ 1 for byte in content[-200:-190]) + content[-190:],
        "weights.safetensors": content[:-4] + b"\x00\x00\x80\x3f",
    }[name]
    assert changed != content
    (tiny_copy / name).write_bytes(changed)
    with pytest.raises(ModelFolderError, match=name):
        load(tiny_copy, threads=1).explain("the parcel was great", methods=("gradient",))


def test_a_config_cut_at_any_line_is_refused_also_without_digests(tiny_copy):
    """A folder of format 1 has no digests: every setting that was there from the beginning must be there."""
    facts = json.loads((tiny_copy / "facts.json").read_text(encoding="utf-8"))
    (tiny_copy / "facts.json").write_text(json.dumps({**facts, "files": {}}), encoding="utf-8")
    lines = (tiny_copy / "config.toml").read_text(encoding="utf-8").splitlines(keepends=True)
    load(tiny_copy, threads=1)
    last = max(i for i, line in enumerate(lines) if line.startswith("checkpoint_minutes"))
    for n in range(last + 1):
        (tiny_copy / "config.toml").write_text("".join(lines[:n]), encoding="utf-8")
        with pytest.raises(ModelFolderError, match=r"config\.toml"):
            load(tiny_copy, threads=1)
