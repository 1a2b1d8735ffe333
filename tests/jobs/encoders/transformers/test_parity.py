"""An imported transformer gives what the original gives."""

from __future__ import annotations

import numpy as np
import pytest
from tests.jobs.encoders.transformers.toy_transformers import FAMILIES, TEXTS, add_modules, save_transformer, write_json

from heedful.jobs.encoders.transformers.hub_weights import bucket_of
from heedful.jobs.encoders.transformers.import_encoder import ImportOptions, import_encoder
from heedful.runtime.model import load

CLOSE = 1e-4


def original(folder):
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu")


@pytest.fixture(scope="module")
def vectors_of(saved):
    made = {}

    def vectors(family, pooling):
        key = (family, pooling)
        if key not in made:
            made[key] = original(saved(family, pooling)).encode(TEXTS, show_progress_bar=False)
        return made[key]

    return vectors


@pytest.mark.parametrize("family", FAMILIES)
def test_vectors_equal_those_of_sentence_transformers(family, encoder, vectors_of):
    expected = vectors_of(family, "mean")
    assert np.abs(expected[0] - expected[3]).max() > 0.01  # the texts differ
    ours = encoder(family)
    np.testing.assert_allclose(ours.encode(TEXTS), expected, atol=CLOSE)
    for batch_size in (1, 2, 5):
        np.testing.assert_allclose(ours.encode(TEXTS, batch_size=batch_size), expected, atol=CLOSE)


@pytest.mark.parametrize("pooling", ["cls", "max"])
def test_other_poolings_equal_those_of_sentence_transformers(pooling, encoder, vectors_of):
    np.testing.assert_allclose(encoder("bert", pooling).encode(TEXTS), vectors_of("bert", pooling), atol=CLOSE)


@pytest.mark.parametrize("family", FAMILIES)
def test_ids_equal_those_of_transformers(family, saved, encoder):
    from transformers import AutoTokenizer

    theirs = AutoTokenizer.from_pretrained(saved(family))
    for text in TEXTS:
        expected = theirs(text, truncation=True).input_ids
        assert encoder(family).texts.ids(text).tolist() == expected, repr(text)


@pytest.mark.parametrize("family", ["bert", "mpnet"])
def test_int8_is_close_and_the_same_in_any_company(family, encoder, vectors_of):
    exact, ours = vectors_of(family, "mean"), encoder(family, int8=True)
    together = ours.encode(TEXTS, batch_size=len(TEXTS))
    assert (together * exact).sum(axis=1).min() > 0.98
    alone = np.stack([ours.encode(text) for text in TEXTS])
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_texts_longer_than_the_distances_of_mpnet_agree(tmp_path):
    folder = save_transformer(tmp_path / "long", "mpnet", positions=330, pooling="mean")
    text = "fruit flies like an arrow " * 60
    expected = original(folder).encode([text])
    ours = load(folder)
    assert len(ours.texts.ids(text)) > 300
    np.testing.assert_allclose(ours.encode([text]), expected, atol=CLOSE)


def test_buckets_of_distances_are_those_of_mpnet():
    import torch
    from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

    distances = torch.arange(-300, 301)
    expected = MPNetEncoder.relative_position_bucket(distances).tolist()
    assert len(set(expected)) == 31
    assert [bucket_of(int(apart)) for apart in distances] == expected


def test_vectors_that_the_original_does_not_scale_are_not_scaled(tmp_path):
    folder = save_transformer(tmp_path / "plain", "bert")
    add_modules(folder, "mean", unit=False)
    expected = original(folder).encode(TEXTS)
    assert np.linalg.norm(expected, axis=1).max() > 1.5
    np.testing.assert_allclose(load(folder).encode(TEXTS), expected, atol=CLOSE)


def test_the_default_prompt_is_read_before_every_text(tmp_path):
    folder = save_transformer(tmp_path / "e5", "bert")
    add_modules(folder, "mean", prompts={"query": "time flies: ", "passage": "fruit: "})
    theirs, ours = original(folder), load(folder)
    expected = theirs.encode(TEXTS)
    assert np.abs(expected - theirs.encode(TEXTS, prompt="")).max() > 0.01
    np.testing.assert_allclose(ours.encode(TEXTS), expected, atol=CLOSE)
    import_encoder(folder, tmp_path / "passages", ImportOptions(prompt="passage"))
    np.testing.assert_allclose(
        load(tmp_path / "passages").encode(TEXTS), theirs.encode(TEXTS, prompt_name="passage"), atol=CLOSE
    )
    assert [word.text for word in ours.self_attention("an arrow").words][-3:] == ["an", "arrow", "[SEP]"]


def test_a_linear_map_after_the_pooling_is_part_of_the_vector(tmp_path):
    from safetensors.numpy import save_file

    folder = save_transformer(tmp_path / "dense", "bert")
    add_modules(folder, "mean", unit=False)
    weight = np.random.default_rng(0).normal(size=(7, 24)).astype(np.float32)
    before = original(folder).encode(TEXTS)
    (folder / "2_Dense").mkdir()
    config = {"in_features": 24, "out_features": 7, "bias": False}
    write_json(folder / "2_Dense/config.json", {**config, "activation_function": "torch.nn.modules.linear.Identity"})
    save_file({"linear.weight": weight}, folder / "2_Dense/model.safetensors")
    modules = [("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Dense", "Dense")]
    write_json(
        folder / "modules.json",
        [{"idx": i, "path": path, "type": f"sentence_transformers.models.{k}"} for i, (path, k) in enumerate(modules)],
    )
    np.testing.assert_allclose(load(folder).encode(TEXTS), before @ weight.T, atol=CLOSE)


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
def test_weights_of_half_the_size_are_read(kind, saved, tmp_path):
    import shutil

    import torch
    from safetensors.torch import load_file, save_file

    folder = tmp_path / kind
    shutil.copytree(saved("bert", "mean"), folder)
    halves = {name: value.to(getattr(torch, kind)) for name, value in load_file(folder / "model.safetensors").items()}
    save_file(halves, folder / "model.safetensors")
    whole = load(saved("bert", "mean")).encode(TEXTS)
    np.testing.assert_allclose(load(folder).encode(TEXTS), whole, atol=0.05)
    assert np.abs(load(folder).encode(TEXTS) - whole).max() > 0


def test_weights_in_several_files_and_with_old_names_are_read(saved, tmp_path):
    import shutil

    from safetensors.numpy import load_file, save_file

    folder = tmp_path / "parts"
    shutil.copytree(saved("bert", "mean"), folder)
    weights = load_file(folder / "model.safetensors")
    renamed = {f"bert.{name}": value for name, value in weights.items()}
    for old, new in ((".LayerNorm.weight", ".LayerNorm.gamma"), (".LayerNorm.bias", ".LayerNorm.beta")):
        renamed = {name.replace(old, new): value for name, value in renamed.items()}
    names = sorted(renamed)
    parts = {"model-00001-of-00002.safetensors": names[::2], "model-00002-of-00002.safetensors": names[1::2]}
    for file, own in parts.items():
        save_file({name: renamed[name] for name in own}, folder / file)
    index = {"weight_map": {name: file for file, own in parts.items() for name in own}}
    write_json(folder / "model.safetensors.index.json", index)
    (folder / "model.safetensors").unlink()
    np.testing.assert_array_equal(load(folder).encode(TEXTS), load(saved("bert", "mean")).encode(TEXTS))


def test_a_transformer_that_was_loaded_can_be_pickled_and_saved(saved, tmp_path):
    import pickle

    loaded = load(saved("bert", "mean"))
    expected = loaded.encode(TEXTS)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(loaded)).encode(TEXTS), expected)
    np.testing.assert_array_equal(load(loaded.save(tmp_path / "copy")).encode(TEXTS), expected)
