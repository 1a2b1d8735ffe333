"""What heedful cannot or will not import is refused in one line."""

from __future__ import annotations

import json
import pickle
import shutil

import pytest
from tests.jobs.encoders.transformers.toy_transformers import change_json, write_json

from heedful.cli.main import main
from heedful.errors import ConfigError, HeedfulError, ModelFolderError
from heedful.jobs.encoders.transformers.import_encoder import ImportOptions, read_imported


@pytest.fixture
def folder(saved, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(saved("bert", "mean"), copy)
    return copy


def refusal(folder, options=None):
    with pytest.raises(HeedfulError) as caught:
        read_imported(folder, options or ImportOptions())
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"model_type": "gpt2"}, "model_type 'gpt2'"),
        ({"model_type": None}, "model_type None"),
        ({"is_decoder": True}, "is a decoder"),
        ({"auto_map": {"AutoModel": "modeling.Own"}}, "never runs"),
        ({"hidden_act": "relu"}, "activation 'relu'"),
        ({"position_embedding_type": "relative_key"}, "positions of the type 'relative_key'"),
        ({"num_hidden_layers": "six"}, "no valid num_hidden_layers"),
        ({"num_hidden_layers": 3}, "the weights lack encoder.layer.2"),
        ({"hidden_size": 48}, "does not fit config.json"),
        ({"layer_norm_eps": "small"}, "no valid layer_norm_eps"),
    ],
)
def test_settings_that_heedful_does_not_know_are_refused(values, expected, folder):
    change_json(folder / "config.json", **values)
    assert expected in refusal(folder)


def test_a_pickle_is_never_read(folder, tmp_path):
    class Bomb:
        def __reduce__(self):
            return (tmp_path.joinpath("boom").touch, ())

    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Bomb()))
    assert "is a pickle, which can run code" in refusal(folder)
    assert not (tmp_path / "boom").exists()


def test_missing_files_are_named(folder):
    (folder / "tokenizer.json").unlink()
    assert "has no tokenizer.json" in refusal(folder)
    (folder / "model.safetensors").unlink()
    assert "has no model.safetensors" in refusal(folder)
    (folder / "config.json").unlink()
    assert "is not a transformer: it has no config.json" in refusal(folder)
    assert "is not a folder" in refusal(folder / "nothing")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda tree: tree["normalizer"].update(type="Lowercase"), "a normaliser of the type 'Lowercase'"),
        (lambda tree: tree["model"].update(type="WordLevel"), "a model of the type 'WordLevel'"),
        (lambda tree: tree["pre_tokenizer"].update(type="Whitespace"), "words or subwords that are not those of BERT"),
        (lambda tree: tree["post_processor"].update(type="Odd"), "a post-processor of the type 'Odd'"),
        (lambda tree: tree["model"]["vocab"].update(new=10_000), "ids that are not 0, 1, 2"),
        (lambda tree: tree.pop("model"), "is not a tokeniser"),
    ],
)
def test_a_tokeniser_that_cannot_be_rebuilt_is_refused(change, expected, folder):
    tree = json.loads((folder / "tokenizer.json").read_text())
    change(tree)
    write_json(folder / "tokenizer.json", tree)
    assert expected in refusal(folder)


@pytest.mark.parametrize(
    ("kind", "path", "expected"),
    [
        ("my_code.Whitening", "2_Own", "never runs"),
        ("sentence_transformers.models.WeightedLayerPooling", "2_Own", "heedful knows Pooling"),
        ("sentence_transformers.models.Normalize", "../2_Own", "outside of its folder"),
    ],
)
def test_modules_that_heedful_does_not_know_are_refused(kind, path, expected, folder):
    modules = json.loads((folder / "modules.json").read_text())
    write_json(folder / "modules.json", [*modules, {"idx": 9, "path": path, "type": kind}])
    assert expected in refusal(folder)


def test_a_pooling_that_heedful_does_not_know_is_refused(folder):
    change_json(folder / "1_Pooling/config.json", pooling_mode_lasttoken=True)
    assert "one of the poolings mean, cls, max" in refusal(folder)


def test_weights_outside_of_the_folder_are_refused(folder):
    (folder / "model.safetensors").rename(folder.parent / "stolen.safetensors")
    write_json(folder / "model.safetensors.index.json", {"weight_map": {"a": "../stolen.safetensors"}})
    assert "outside of its folder" in refusal(folder)


def test_more_tokens_than_positions_are_refused(folder):
    with pytest.raises(ConfigError, match=r"text\.max_tokens is 65, but the transformer has 64 positions"):
        read_imported(folder, ImportOptions(max_tokens=65))


def test_a_damaged_file_is_one_line(folder):
    (folder / "config.json").write_text("{")
    assert "is not readable" in refusal(folder)
    (folder / "config.json").write_text("[]")
    assert "is not a table" in refusal(folder)


def test_broken_weights_are_refused(folder):
    content = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(content[:-100])
    with pytest.raises(ModelFolderError, match="cannot be read"):
        read_imported(folder, ImportOptions())


def test_the_command_says_in_one_line_what_is_wrong(folder, capsys, tmp_path):
    change_json(folder / "config.json", model_type="llama")
    assert main(["import", str(folder), "-o", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("heedful: ") and error.count("\n") == 1 and "llama" in error
    assert not (tmp_path / "out").exists()


def test_the_command_imports_and_prints(saved, capsys, tmp_path):
    out = tmp_path / "encoder"
    assert main(["import", str(saved("mpnet", "mean")), "-o", str(out), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["family"] == "mpnet" and printed["model"] == str(out)
    assert main(["info", str(out)]) == 0
    assert "mpnet, 2 layers of 3 heads" in capsys.readouterr().out
    assert main(["import", str(saved("mpnet", "mean")), "-o", str(out)]) == 2
    assert "already exists" in capsys.readouterr().err
