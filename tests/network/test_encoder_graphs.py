"""Graphs that end in a vector, that keep the words, that are small: each as torch has it."""

from __future__ import annotations

import itertools

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

from heedful.config import Config
from heedful.data.batch import pad
from heedful.network.build import build_network
from heedful.network.masks import mask_of
from heedful.network.network import Network
from heedful.network.parity import check_parity
from heedful.network.write import ENCODERS, HEADS, onnx_graph
from heedful.settings import GRAPH_ENCODERS
from heedful.store.weights import rounded

OF_TEXTS = [name for name in ENCODERS if name not in GRAPH_ENCODERS]

SIZES = {
    "embed_width": 6, "units": 6, "n_hops": 3, "attention_width": 4, "hidden": 7, "row_units": 3, "column_units": 2,
    "n_heads": 2, "n_layers": 2, "inner_units": 9, "vector_width": 8,
}  # fmt: skip
TEXTS = [np.array(ids, dtype=np.int32) for ids in ([2, 3, 4, 5, 6], [7], [], [8, 9, 2])]
N_IDS = 12
OUTPUTS = ["vector", "states", "map", "rows", "weights"]


def made(*, small: bool = False, strong: float = 1.0, **settings: object) -> tuple[Network, bytes]:
    """Return a network, its weights rounded for a small graph, and the graph; `strong` makes its attention sharp."""
    config = Config().changed(**{**SIZES, **settings}).model
    network = build_network(config, n_ids=N_IDS, n_classes=4, seed=1).eval()
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if name.startswith("pooler"):
                parameter.mul_(strong)
            elif not name.startswith("embed"):
                parameter.add_(0.1 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(2)))
    weights = {name: t.numpy() for name, t in network.state_dict().items()}
    if small:
        weights = rounded(weights)
        network.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    return network, onnx_graph(config, weights, small=small)


def run(graph: bytes, texts: list[np.ndarray], outputs: list[str], *, extra: int = 0) -> list[np.ndarray]:
    batch = pad(texts, range(len(texts)))
    ids = np.pad(batch.ids, ((0, 0), (0, extra)))
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    return session.run(outputs, {"ids": ids, "lengths": batch.lengths})


def by_torch(network: Network) -> dict[str, np.ndarray]:
    batch = pad(TEXTS, range(len(TEXTS)))
    ids = torch.from_numpy(batch.ids)
    mask = mask_of(torch.from_numpy(batch.lengths), ids.shape[1])
    with torch.inference_mode():
        output = network(ids, mask)
        states = network.encoder(network.embed(ids), mask)
    found = {"vector": output.scores, "scores": output.scores, "rows": output.rows, "weights": output.weights}
    return {name: tensor.numpy() for name, tensor in found.items()} | {"states": states.numpy(), "mask": mask.numpy()}


@pytest.mark.parametrize(
    ("encoder", "pooler", "keep_words"),
    list(itertools.product(OF_TEXTS, ["structured", "mean", "max", "last"], [False, True])),
)
def test_a_graph_with_a_vector_is_torchs_network(encoder, pooler, keep_words):
    network, graph = made(encoder=encoder, pooler=pooler, keep_words=keep_words, head="vector")
    expected = by_torch(network)
    vector, states, linear, rows, weights = run(graph, TEXTS, OUTPUTS)
    assert vector.shape == (4, 8) and np.abs(vector[:2] - vector[3]).max() > 1e-3
    np.testing.assert_allclose(vector, expected["vector"], atol=1e-5)
    np.testing.assert_allclose(rows, expected["rows"], atol=1e-5)
    np.testing.assert_allclose(weights, expected["weights"], atol=1e-5)
    np.testing.assert_allclose(states[expected["mask"]], expected["states"][expected["mask"]], atol=1e-5)
    np.testing.assert_array_equal(linear, network.head.map.weight.detach().numpy().T)
    assert np.abs(vector[2]).max() == 0, "an empty text has the vector 0"


@pytest.mark.parametrize(("encoder", "head"), list(itertools.product(OF_TEXTS, HEADS)))
def test_a_classifier_that_keeps_the_words_is_torchs_network(encoder, head):
    network, graph = made(encoder=encoder, head=head, keep_words=True)
    expected = by_torch(network)
    for name, found in zip(
        ("scores", "rows", "weights"), run(graph, TEXTS, ["scores", "rows", "weights"]), strict=True
    ):
        np.testing.assert_allclose(found, expected[name], atol=1e-5)


@pytest.mark.parametrize("encoder", OF_TEXTS)
@pytest.mark.parametrize("keep_words", [False, True])
def test_the_outputs_of_a_graph_add_up_to_its_vector(encoder, keep_words):
    """What explanations rest on: weights · states · map."""
    _, graph = made(encoder=encoder, keep_words=keep_words, head="vector")
    vector, states, linear, rows, weights = run(graph, TEXTS, OUTPUTS)
    np.testing.assert_allclose(weights @ states, rows, atol=1e-5)
    by_hop = linear.reshape(3, -1, 8)
    np.testing.assert_allclose(np.einsum("bht,btw,hwv->bv", weights, states, by_hop), vector, atol=1e-5)


@pytest.mark.parametrize(
    ("encoder", "pooler", "keep_words"),
    list(itertools.product(OF_TEXTS, ["structured", "mean"], [False, True])),
)
def test_a_small_graph_has_the_rounded_numbers(encoder, pooler, keep_words):
    network, graph = made(encoder=encoder, pooler=pooler, keep_words=keep_words, head="vector", small=True)
    expected = by_torch(network)
    vector, rows, weights = run(graph, TEXTS, ["vector", "rows", "weights"])
    np.testing.assert_allclose(rows, expected["rows"], atol=1e-4)
    np.testing.assert_allclose(weights, expected["weights"], atol=1e-4)
    np.testing.assert_allclose(vector, expected["vector"], atol=1e-4)
    assert check_parity(network, graph, TEXTS, small=True) < (1e-3 if encoder == "static" else 1e-4)


@pytest.mark.parametrize("strong", [3.0, 10.0])
@pytest.mark.parametrize("encoder", ["static", "bilstm"])
def test_a_small_graph_of_sharp_attention_passes_its_own_check(encoder, strong):
    # The static encoder's table of scores is rounded to float16 after it was computed, which torch's weights are not.
    network, graph = made(encoder=encoder, head="vector", small=True, strong=strong)
    assert by_torch(network)["weights"].max() > 0.4, "the attention is not sharp: the test would show nothing"
    assert check_parity(network, graph, TEXTS, small=True) < (1e-3 if encoder == "static" else 1e-4)


@pytest.mark.parametrize("head", HEADS)
def test_a_small_classifier_has_the_rounded_numbers(head):
    network, graph = made(encoder="bilstm", head=head, small=True)
    np.testing.assert_allclose(run(graph, TEXTS, ["scores"])[0], by_torch(network)["scores"], atol=1e-4)


def test_a_small_graph_is_small_and_near_the_whole_one():
    settings = Config().changed(encoder="static", head="vector", **{**SIZES, "embed_width": 64}).model
    network = build_network(settings, n_ids=2_000).eval()
    weights = {name: t.numpy() for name, t in network.state_dict().items()}
    whole, small = onnx_graph(settings, weights), onnx_graph(settings, weights, small=True)
    assert len(small) < 0.35 * len(whole)
    (near,), (exact,) = run(small, TEXTS, ["vector"]), run(whole, TEXTS, ["vector"])
    assert 0 < np.abs(near - exact).max() < 0.02 * np.abs(exact).max()
    kinds = {tensor.name: tensor.data_type for tensor in onnx.load_from_string(small).graph.initializer}
    assert kinds["embed"] == onnx.TensorProto.INT8
    assert onnx.TensorProto.FLOAT16 in kinds.values()


@pytest.mark.parametrize("extra", [1, 7, 100])
@pytest.mark.parametrize("encoder", OF_TEXTS)
@pytest.mark.parametrize("keep_words", [False, True])
def test_padding_changes_no_vector(encoder, keep_words, extra):
    _, graph = made(encoder=encoder, keep_words=keep_words, head="vector")
    plain, padded = run(graph, TEXTS, ["vector", "rows"]), run(graph, TEXTS, ["vector", "rows"], extra=extra)
    for a, b in zip(plain, padded, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-5)


@pytest.mark.parametrize(("units", "n_heads", "n_layers"), [(5, 1, 1), (6, 3, 3), (1, 1, 1), (8, 8, 2)])
def test_a_transformer_of_any_size_is_torchs(units, n_heads, n_layers):
    network, graph = made(encoder="transformer", units=units, n_heads=n_heads, n_layers=n_layers, head="vector")
    np.testing.assert_allclose(run(graph, TEXTS, ["vector"])[0], by_torch(network)["vector"], atol=1e-5)


@pytest.mark.parametrize("time", [513, 1_500])
def test_a_transformer_reads_texts_longer_than_any_it_has_seen(time):
    """Places are sines of numbers that grow with the text; the graph makes its cosines from sines."""
    network, graph = made(encoder="transformer", n_layers=1, head="vector")
    text = np.random.default_rng(0).integers(2, N_IDS, size=time).astype(np.int32)
    assert check_parity(network, graph, [text]) < 1e-4
