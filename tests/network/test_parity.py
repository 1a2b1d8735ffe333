"""Every combination of encoder, pooler and head gives in ONNX Runtime what it gives in torch."""

import itertools

import numpy as np
import onnxruntime
import pytest
import torch
from heedful.network.scores_onnx import SCORES

from heedful.config import Config
from heedful.data.batch import pad
from heedful.data.features import Item
from heedful.data.input_spec import InputShape
from heedful.network import build
from heedful.network.build import build_network
from heedful.network.masks import mask_of
from heedful.network.onnx_graph import Graph
from heedful.network.parity import LIMIT, check_parity, limit_for
from heedful.network.write import ENCODERS, HEADS, POOLERS, onnx_graph
from heedful.settings import GRAPH_ENCODERS
from heedful.store.weights import rounded

SMALL = {
    "embed_width": 6,
    "units": 5,
    "n_hops": 3,
    "attention_width": 4,
    "hidden": 7,
    "row_units": 3,
    "column_units": 2,
    "n_heads": 1,
    "inner_units": 9,
    "vector_width": 8,
}
TEXTS = [np.array(ids, dtype=np.int32) for ids in ([2, 3, 4, 5, 6], [7], [], [8, 9, 2])]
OF_TEXTS = [name for name in ENCODERS if name not in GRAPH_ENCODERS]  # whose parity is in test_neighbours.py
COMBINATIONS = list(itertools.product(OF_TEXTS, POOLERS, HEADS))


def made(encoder: str, pooler: str, head: str, *, strong: float = 1.0, **more):
    """Return a network and its graph; where it is strong, its pooler has larger weights than fresh ones are."""
    settings = Config().changed(encoder=encoder, pooler=pooler, head=head, **SMALL, **more).model
    network = build_network(settings, n_ids=12, n_classes=4).eval().requires_grad_(False)
    for parameter in network.pooler.parameters():
        parameter.mul_(strong)
    return network, onnx_graph(settings, {name: t.numpy() for name, t in network.state_dict().items()})


def test_every_layer_that_can_be_trained_can_be_exported():
    assert set(build.ENCODERS) == set(ENCODERS)
    assert set(build.POOLERS) == {*POOLERS, "each"}  # whose parity is in test_tag_graphs.py
    assert set(build.HEADS) == {*HEADS, "vector", "tag"}
    assert set(build.SCORES) == set(SCORES)


@pytest.mark.parametrize(("encoder", "pooler", "head"), COMBINATIONS)
def test_onnx_runtime_agrees_with_torch(encoder, pooler, head):
    assert_agrees(*made(encoder, pooler, head))


@pytest.mark.parametrize("keep_words", [False, True])
@pytest.mark.parametrize(("encoder", "score"), list(itertools.product(OF_TEXTS, SCORES)))
def test_hops_by_every_score_agree_with_torch(encoder, score, keep_words):
    assert_agrees(*made(encoder, "structured", "pruned", score=score, keep_words=keep_words, strong=1.5))


@pytest.mark.parametrize("places", [True, False])
@pytest.mark.parametrize("score", SCORES)
def test_self_attention_by_every_score_agrees_with_torch(score, places):
    sizes = {"units": 8, "n_heads": 2, "n_layers": 2}
    settings = Config().changed(**{**SMALL, **sizes}, encoder="transformer", self_score=score, places=places).model
    network = build_network(settings, n_ids=12, n_classes=4).eval().requires_grad_(False)
    assert_agrees(network, onnx_graph(settings, {name: t.numpy() for name, t in network.state_dict().items()}))


@pytest.mark.parametrize("encoder", OF_TEXTS)
def test_one_hot_words_agree_with_torch(encoder):
    settings, shape = Config().changed(encoder=encoder, **SMALL).model, InputShape(n_ids=12, is_one_hot=True)
    network = build_network(settings, shape=shape, n_classes=4).eval().requires_grad_(False)
    weights = {name: t.numpy() for name, t in network.state_dict().items()}
    assert not any(name.startswith("embed") for name in weights)
    assert_agrees(network, onnx_graph(settings, weights, shape=shape))


@pytest.mark.parametrize("more", [{}, {"whole": True}, {"whole": True, "count": True, "keep_words": True}])
@pytest.mark.parametrize("encoder", OF_TEXTS)
def test_vectors_from_outside_agree_with_torch(encoder, more):
    settings, shape = Config().changed(encoder=encoder, **SMALL, **more).model, InputShape(width=6)
    network = build_network(settings, shape=shape, n_classes=4).eval().requires_grad_(False)
    network.embed.mean += 0.5
    network.embed.spread *= 3.0
    rng = np.random.default_rng(0)
    made = [Item({"vectors": rng.normal(size=(n, 6)).astype(np.float32)}) for n in (5, 1, 0, 3)]
    graph = onnx_graph(settings, {name: t.numpy() for name, t in network.state_dict().items()}, shape=shape)
    assert check_parity(network, graph, made) < 1e-5


@pytest.mark.parametrize("score", SCORES)
def test_long_texts_agree_with_torch(score):
    network, graph = made("static", "structured", "pruned", score=score, strong=4.0)
    texts = [np.arange(n, dtype=np.int32) % 12 for n in (1000, 30)]
    assert check_parity(network, graph, texts) < 1e-5


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("encoder", ["static", "bilstm"])
def test_a_small_graph_with_a_vector_agrees_with_torch(encoder, score):
    settings = Config().changed(encoder=encoder, score=score, head="vector", **SMALL).model
    network = build_network(settings, n_ids=12).eval()
    weights = rounded({name: t.numpy() for name, t in network.state_dict().items()})
    network.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    assert check_parity(network, onnx_graph(settings, weights, small=True), TEXTS, small=True) < 1e-3


@pytest.mark.parametrize("score", SCORES)
def test_words_without_a_vector_agree_with_torch(score):
    settings = Config().changed(encoder="static", score=score, **SMALL).model
    network = build_network(settings, n_ids=12, n_classes=4).eval().requires_grad_(False)
    network.embed.weight[3:5] = 0.0
    assert_agrees(network, onnx_graph(settings, {name: t.numpy() for name, t in network.state_dict().items()}))


@pytest.mark.parametrize("name", SCORES)
def test_a_score_of_queries_that_are_no_constants_agrees_with_torch(name):
    torch.manual_seed(0)
    width = 6 if name in build.ONE_WIDTH else 7
    score = build.SCORES[name](width, 6, 5).requires_grad_(False)
    tables = torch.randn(12, width), torch.randn(12, 6)
    asked, held = torch.tensor([[1, 2, 3], [4, 5, 6]]), torch.tensor([[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]])
    graph = Graph()
    queries, keys = (
        graph.rows_of(table.numpy(), graph.input(side, ["batch", side]), name=f"table of {side}")
        for side, table in zip(("query", "key"), tables, strict=True)
    )
    weights = {f"any.{part}": value.numpy() for part, value in score.state_dict().items()}
    graph.output("scores", SCORES[name](graph, weights, queries, keys, "any"), ["batch", "query", "key"])
    session = onnxruntime.InferenceSession(graph.to_bytes(description=name), providers=["CPUExecutionProvider"])
    found = session.run(["scores"], {"query": asked.numpy(), "key": held.numpy()})[0]
    np.testing.assert_allclose(found, score(tables[0][asked], tables[1][held]), atol=1e-5)


def assert_agrees(network, graph):
    batch = pad(TEXTS, range(len(TEXTS)))
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    found = session.run(["scores", "rows", "weights"], {"ids": batch.ids, "lengths": batch.lengths})
    with torch.inference_mode():
        expected = network(torch.from_numpy(batch.ids), mask_of(torch.from_numpy(batch.lengths), batch.ids.shape[1]))
    for ours, theirs in zip((expected.scores, expected.rows, expected.weights), found, strict=True):
        assert np.isfinite(theirs).all()
        assert np.allclose(ours.numpy(), theirs, atol=1e-5)


@pytest.mark.parametrize(
    ("encoder", "score"), [*((e, "additive") for e in OF_TEXTS), *(("bilstm", s) for s in SCORES if s != "additive")]
)
def test_padding_and_company_change_nothing_in_onnx_runtime(encoder, score):
    _, graph = made(encoder, "structured", "pruned", score=score)
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    batch = pad(TEXTS, range(len(TEXTS)))
    together = session.run(["rows"], {"ids": batch.ids, "lengths": batch.lengths})[0]
    for i in range(len(TEXTS)):
        one = pad(TEXTS, [i])
        alone = session.run(["rows"], {"ids": one.ids, "lengths": one.lengths})[0]
        assert np.allclose(together[i], alone[0], atol=1e-6)


def test_a_static_encoders_scores_are_a_table():
    _, graph = made("static", "structured", "pruned")
    assert b"Tanh" not in graph  # nothing is left to compute but the softmax
    assert b"Tanh" in made("bilstm", "structured", "pruned")[1]


def test_a_graph_that_differs_is_refused():
    network, graph = made("bilstm", "structured", "pruned")
    assert check_parity(network, graph, TEXTS) < 1e-5
    with torch.no_grad():
        network.pooler.inner.weight.add_(1.0)
    with pytest.raises(RuntimeError, match="differs from the trained network"):
        check_parity(network, graph, TEXTS)


@pytest.mark.parametrize("encoder", ["static", "cnn"])
def test_a_very_long_text_may_differ_by_the_rounding_of_its_sum(encoder):
    settings = Config().changed(encoder=encoder, units=8, n_hops=3, embed_width=12, attention_width=8).model
    network = build_network(settings, n_ids=20, n_classes=2, seed=0)
    graph = onnx_graph(settings, {name: value.numpy() for name, value in network.state_dict().items()})
    time = 200_000
    worst = check_parity(network, graph, [np.full(time, 5, dtype=np.int32)])
    assert LIMIT < worst < limit_for(time) / 10
    assert limit_for(512) == LIMIT
