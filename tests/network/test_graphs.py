"""What graphs are, beyond giving what torch gives: tables, sums, sizes, long texts, and what they refuse."""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from tests.network.graph_cases import GRAPHS, PER_TOKEN, SHAPES, GraphCase, inputs_of, reads, shake

from heedful.config import Config
from heedful.data.batch import feed, pad
from heedful.data.features import TextPair
from heedful.network.build import build_network
from heedful.network.encoders.parts import ENCODERS
from heedful.network.heads.parts import HEADS
from heedful.network.onnx_graph import Graph
from heedful.network.parity import LIMIT, check_parity, limit_for, small_session
from heedful.network.scores.parts import SCORES
from heedful.network.scores.score import build_score
from heedful.network.scores.score_onnx import write_score
from heedful.network.write import onnx_graph

TEXTS = list(inputs_of(SHAPES["embed"]))
PAIR_HEADS = [name for name, part in HEADS.items() if part.needs_two_texts]


def run(graph: bytes, features, outputs):
    return small_session(graph).run(outputs, feed(pad(features, range(len(features)))))


def test_a_static_encoders_scores_are_a_table():
    assert b"Tanh" not in GraphCase({"encoder": "static"}).made()[1]  # nothing is left to compute but the softmax
    assert b"Tanh" in GraphCase({"encoder": "bilstm"}).made()[1]
    assert b"Tanh" in GraphCase({"encoder": "static", "keep_words": True}).made()[1]


@pytest.mark.parametrize("keep_words", [False, True])
@pytest.mark.parametrize("encoder", ENCODERS)
def test_the_outputs_of_a_graph_add_up_to_its_vector(encoder, keep_words):
    """What explanations rest on: weights · states · map."""
    case = GraphCase({"encoder": encoder, "keep_words": keep_words, "head": "vector"}, reads(encoder))
    network, graph = case.made()
    outputs = ["vector", "states", "map", "rows", "weights"]
    vector, states, linear, rows, weights = run(graph, case.features, outputs)
    assert vector.shape == (4, 8) and np.abs(vector[:2] - vector[3]).max() > 1e-3
    np.testing.assert_array_equal(linear, network.head.map.weight.numpy().T)
    np.testing.assert_allclose(weights @ states, rows, atol=1e-5)
    by_hop = linear.reshape(3, -1, 8)
    np.testing.assert_allclose(np.einsum("bht,btw,hwv->bv", weights, states, by_hop), vector, atol=1e-5)


@pytest.mark.parametrize("extra", [7, 100])
@pytest.mark.parametrize("encoder", [name for name, part in ENCODERS.items() if not part.needs_neighbours])
def test_padding_changes_no_vector(encoder, extra):
    graph, batch = GraphCase({"encoder": encoder, "head": "vector"}).made()[1], pad(TEXTS, range(4))
    wider = {"ids": np.pad(batch.ids, ((0, 0), (0, extra))), "lengths": batch.lengths}
    padded = small_session(graph).run(["vector", "rows"], wider)
    for a, b in zip(run(graph, TEXTS, ["vector", "rows"]), padded, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-5)


@pytest.mark.parametrize(
    "shape", [*SHAPES.values(), *GRAPHS.values()], ids=lambda shape: f"{shape.front} {shape.n_links}"
)
def test_the_smallest_input_runs(shape):
    case = GraphCase({"encoder": "neighbours" if shape.n_links else "bilstm", **PER_TOKEN}, shape)
    scores = run(case.made()[1], [shape.smallest()], ["scores"])[0]
    assert scores.shape == (1, 1, 4) and np.isfinite(scores).all()


def test_one_hot_words_have_no_table():
    network, _ = GraphCase(shape=SHAPES["one_hot"]).made()
    assert not any(name.startswith("embed") for name in network.state_dict())


# --- scores


@pytest.mark.parametrize("score", SCORES)
def test_a_score_of_queries_that_are_no_constants_agrees_with_torch(score):
    torch.manual_seed(0)
    width = 6 if SCORES[score].one_width else 7
    layer = build_score(score, query_width=width, key_width=6, width=5).requires_grad_(False)
    tables = torch.randn(12, width), torch.randn(12, 6)
    asked, held = torch.tensor([[1, 2, 3], [4, 5, 6]]), torch.tensor([[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]])
    graph = Graph()
    queries, keys = (
        graph.rows_of(table.numpy(), graph.input(side, ["batch", side]), name=f"table of {side}")
        for side, table in zip(("query", "key"), tables, strict=True)
    )
    weights = {f"any.{part}": value.numpy() for part, value in layer.state_dict().items()}
    graph.output("scores", write_score(score, graph, weights, queries, keys, "any"), ["batch", "query", "key"])
    session = small_session(graph.to_bytes(description=score))
    scores = session.run(["scores"], {"query": asked.numpy(), "key": held.numpy()})[0]
    np.testing.assert_allclose(scores, layer(tables[0][asked], tables[1][held]), atol=1e-5)


@pytest.mark.parametrize("score", SCORES)
def test_words_without_a_vector_agree_with_torch(score):
    settings = Config().changed(encoder="static", score=score, n_hops=3, embed_width=6).model
    network = build_network(settings, n_ids=12, n_classes=4).eval().requires_grad_(False)
    network.embed.weight[3:5] = 0.0
    graph = onnx_graph(settings, {name: tensor.numpy() for name, tensor in network.state_dict().items()})
    assert check_parity(network, graph, [np.array([2, 3, 4, 5], dtype=np.int32)]) < 1e-5


# --- long texts


@pytest.mark.parametrize("score", SCORES)
def test_long_texts_agree_with_torch(score):
    network, graph = GraphCase({"encoder": "static", "score": score}).made()
    texts = [np.arange(n, dtype=np.int32) % 12 for n in (1000, 30)]
    assert check_parity(network, graph, texts) < 1e-5


@pytest.mark.parametrize("time", [513, 1_500])
def test_a_transformer_reads_texts_longer_than_any_it_has_seen(time):
    """Places are sines of numbers that grow with the text; the graph makes its cosines from sines."""
    network, graph = GraphCase({"encoder": "transformer", "n_layers": 1, "head": "vector"}).made()
    text = np.random.default_rng(0).integers(2, 12, size=time).astype(np.int32)
    assert check_parity(network, graph, [text]) < 1e-4


@pytest.mark.parametrize("encoder", ["static", "cnn"])
def test_a_very_long_text_may_differ_by_the_rounding_of_its_sum(encoder):
    settings = Config().changed(encoder=encoder, units=8, n_hops=3, embed_width=12, attention_width=8).model
    network = build_network(settings, n_ids=20, n_classes=2, seed=0)
    graph = onnx_graph(settings, {name: value.numpy() for name, value in network.state_dict().items()})
    time = 200_000
    worst = check_parity(network, graph, [np.full(time, 5, dtype=np.int32)])
    assert worst < limit_for(time) / 10  # above LIMIT on some processors, far below it on others
    assert limit_for(time) > LIMIT
    assert limit_for(512) == LIMIT


# --- small graphs


@pytest.mark.parametrize("strong", [3.0, 10.0])
@pytest.mark.parametrize("encoder", ["static", "bilstm"])
def test_a_small_graph_of_sharp_attention_passes_its_own_check(encoder, strong, monkeypatch):
    # The static encoder's table of scores is rounded to float16 after it was computed, which torch's weights are not.
    def sharpen(network):
        shake(network)
        for parameter in network.pooler.parameters():
            parameter.mul_(strong)

    monkeypatch.setattr("tests.network.graph_cases.shake", sharpen)
    network, graph = GraphCase({"encoder": encoder, "head": "vector"}, small=True).made()
    weights = run(graph, TEXTS, ["weights"])[0]
    assert weights[0].max() > 0.4, "the attention is not sharp: the test would show nothing"
    assert check_parity(network, graph, TEXTS, small=True) < (1e-3 if encoder == "static" else 1e-4)


def test_a_small_graph_is_small_and_near_the_whole_one():
    settings = Config().changed(encoder="static", head="vector", embed_width=64, n_hops=3, vector_width=8).model
    network = build_network(settings, n_ids=2_000).eval()
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    whole, small = onnx_graph(settings, weights), onnx_graph(settings, weights, small=True)
    assert len(small) < 0.35 * len(whole)
    (near,), (exact,) = run(small, TEXTS, ["vector"]), run(whole, TEXTS, ["vector"])
    assert 0 < np.abs(near - exact).max() < 0.02 * np.abs(exact).max()
    kinds = {tensor.name: tensor.data_type for tensor in onnx.load_from_string(small).graph.initializer}
    assert kinds["embed"] == onnx.TensorProto.INT8
    assert onnx.TensorProto.FLOAT16 in kinds.values()


# --- taggers and pairs


def test_the_steps_of_a_crf_are_an_output():
    network, graph = GraphCase({**PER_TOKEN, "crf": True}).made()
    steps = run(graph, TEXTS, ["steps"])[0]
    assert steps.any() and np.array_equal(steps, network.head.crf.steps.numpy())
    without = small_session(GraphCase(PER_TOKEN).made()[1])
    assert "steps" not in [value.name for value in without.get_outputs()]


def test_rows_and_weights_of_pairs_are_those_of_all_firsts_then_of_all_seconds():
    case = GraphCase({"head": "gated"})
    scores, rows, weights = run(case.made()[1], case.features, ["scores", "rows", "weights"])
    assert scores.shape == (16, 4) and len(rows) == len(weights) == 32


def test_likeness_is_directed_for_labels_alone():
    """Who follows from whom is a question of order; how alike two texts are is not."""
    longer, shorter = TEXTS[0], TEXTS[3]
    assert len(longer) != len(shorter)
    for n_classes, is_equal in ((1, True), (3, False)):
        graph = GraphCase({"head": "likeness"}, n_classes=n_classes).made()[1]
        scores = run(graph, [TextPair(longer, shorter), TextPair(shorter, longer)], ["scores"])[0]
        assert np.allclose(scores[0], scores[1], atol=1e-5) is is_equal


@pytest.mark.parametrize("head", PAIR_HEADS)
@pytest.mark.parametrize("n_texts", [1, 3])
def test_an_odd_number_of_texts_is_refused(head, n_texts):
    """An empty half would end the whole process inside ONNX Runtime."""
    session = onnxruntime.InferenceSession(GraphCase({"head": head}).made()[1], providers=["CPUExecutionProvider"])
    with pytest.raises(Exception, match="reshape"):
        session.run(["scores"], feed(pad(TEXTS[:1] * n_texts, range(n_texts))))
