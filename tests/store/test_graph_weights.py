"""Weights that are only in the graph: equal to the bit, and refused where they do not fit."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import heedful
from heedful.config import Config
from heedful.errors import ModelFolderError
from heedful.jobs.train.choose_start import read_start, read_tag_start
from heedful.network.build import build_network
from heedful.network.write import onnx_graph
from heedful.store.folder import GRAPH, WEIGHTS, has_weights, read_folder, read_weights_of
from heedful.store.graph_weights import weights_in_graph
from heedful.store.shipped import model_path
from heedful.store.weights import rounded, weights_file, weights_from

SIZES = {"embed_width": 10, "units": 6, "n_hops": 3, "attention_width": 7, "vector_width": 8, "head": "vector"}
OTHERS = {
    "static": {"encoder": "static"},
    "cnn": {"encoder": "cnn"},
    "transformer": {"encoder": "transformer", "n_heads": 3},
    "mean": {"pooler": "mean"},
    "another score": {"score": "dot"},
    "count": {"count": True},
}
# of weights.safetensors of en-base, which the package had until 0.2.0
EN_BASE = "75123642ee869116fac9ea3d55981b19a63f44cc0cce01e1c77e3acca6f728f6"


def small_encoder(**settings: object):
    """Return the settings and the weights of an encoder that was not trained."""
    model = Config(task="embed").changed(**{**SIZES, **settings}).model
    network = build_network(model, n_ids=40, seed=3)
    return model, rounded({name: t.numpy() for name, t in network.state_dict().items()})


def changed(content: bytes, name: str, change) -> bytes:
    """Return a graph with another constant."""
    graph = onnx.load_from_string(content)
    for constant in graph.graph.initializer:
        if constant.name.startswith(name):
            constant.CopyFrom(numpy_helper.from_array(change(numpy_helper.to_array(constant)), constant.name))
            return graph.SerializeToString()
    raise AssertionError(name)


def test_the_weights_of_en_base_are_those_of_the_file_it_had():
    path = model_path("en-base")
    assert not (path / WEIGHTS).exists()
    stored = read_folder(path)
    weights = read_weights_of(path, stored.facts, stored.config.model)
    digest = hashlib.sha256()
    for name in sorted(weights):
        digest.update(f"{name}{weights[name].shape}{weights[name].dtype}".encode())
        digest.update(weights[name].tobytes())
    assert digest.hexdigest() == EN_BASE


@pytest.mark.parametrize("keep_words", [False, True])
def test_the_graph_holds_every_bit_of_the_file(keep_words):
    model, weights = small_encoder(keep_words=keep_words)
    in_file = weights_from(weights_file(weights, small=True), Path(WEIGHTS))
    in_graph = weights_in_graph(onnx_graph(model, weights, small=True), model)
    assert in_graph is not None and in_graph.keys() == in_file.keys()
    for name, value in in_file.items():
        assert in_graph[name].dtype == np.float32 and in_graph[name].flags["C_CONTIGUOUS"]
        np.testing.assert_array_equal(in_graph[name], value, err_msg=name)


@pytest.mark.parametrize("settings", OTHERS.values(), ids=OTHERS)
def test_weights_of_another_network_are_not_taken_from_its_graph(settings):
    model, weights = small_encoder(**settings)
    assert weights_in_graph(onnx_graph(model, weights, small=True), model) is None


def test_a_graph_with_whole_numbers_or_other_settings_or_broken_bytes_holds_none():
    model, weights = small_encoder()
    content = onnx_graph(model, weights, small=True)
    assert weights_in_graph(content, model) is not None
    assert weights_in_graph(onnx_graph(model, weights, small=False), model) is None
    for name in ("units", "embed_width", "n_hops", "attention_width", "vector_width"):
        assert weights_in_graph(content, replace(model, **{name: getattr(model, name) + 1})) is None
    assert weights_in_graph(content, replace(model, keep_words=True)) is None
    assert weights_in_graph(changed(content, "embed", lambda table: table[:-1]), model) is None
    assert weights_in_graph(changed(content, "halves", lambda w: w.astype(np.float32)), model) is None
    assert weights_in_graph(content[:-7], model) is None
    assert weights_in_graph(b"", model) is None


def test_en_base_is_still_a_start_and_has_gradients():
    start, tag_start = read_start("en-base"), read_tag_start("en-base")
    assert start.weights["embed.weight"].shape == (28000, 256) and tag_start is not None
    from heedful.torch_model.network import network_of

    model = heedful.load("en-base")
    network = network_of(model)
    assert network.state_dict()["head.map.weight"].shape == (384, 4608)


def test_en_small_still_says_that_it_can_only_be_run():
    with pytest.raises(ModelFolderError, match=r"en-small has no weights\.safetensors: it can be run, not trained"):
        read_start("en-small")


def test_a_graph_that_was_changed_gives_no_weights(tmp_path):
    path = Path(shutil.copytree(model_path("en-base"), tmp_path / "copy"))
    facts = json.loads((path / "facts.json").read_text())
    files = {GRAPH: hashlib.sha256((path / GRAPH).read_bytes()).hexdigest()}
    stored = read_folder(path)
    sealed = replace(stored.facts, files=files)
    assert "files" not in facts and has_weights(path, sealed, stored.config.model)
    content = bytearray((path / GRAPH).read_bytes())
    content[5_000_000] ^= 1
    (path / GRAPH).write_bytes(content)
    assert not has_weights(path, sealed, stored.config.model)
    with pytest.raises(ModelFolderError, match="was changed or damaged"):
        read_weights_of(path, sealed, stored.config.model)


def test_a_folder_that_lost_its_file_of_weights_is_not_complete(tmp_path):
    path = model_path("en-base")
    stored = read_folder(path)
    files = {GRAPH: hashlib.sha256((path / GRAPH).read_bytes()).hexdigest(), WEIGHTS: "0" * 64}
    assert not has_weights(path, replace(stored.facts, files=files), stored.config.model)
