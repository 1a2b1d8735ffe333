"""Graphs for pairs of texts give in ONNX Runtime what they give in torch."""

from __future__ import annotations

import itertools

import numpy as np
import onnxruntime
import pytest
import torch

from heedful.config import Config
from heedful.data.batch import feed, pad
from heedful.data.features import Two
from heedful.network.build import build_network
from heedful.network.parity import check_parity
from heedful.network.tensors import tensors_of
from heedful.network.write import onnx_graph

SMALL = {
    "embed_width": 6, "units": 5, "n_hops": 3, "attention_width": 4, "hidden": 7, "n_heads": 1, "inner_units": 9,
    "vector_width": 8, "gate_units": 5,
}  # fmt: skip
TEXTS = [np.array(ids, dtype=np.int32) for ids in ([2, 3, 4, 5, 6], [7], [], [8, 9, 2])]
PAIRS = [Two(a, b) for a, b in itertools.product(TEXTS, TEXTS)]
HEADS = ("gated", "concat", "likeness")


def made(head: str, *, encoder: str = "bilstm", pooler: str = "structured", n_classes: int = 4):
    settings = Config().changed(encoder=encoder, pooler=pooler, head=head, **SMALL).model
    network = build_network(settings, n_ids=12, n_classes=n_classes).eval().requires_grad_(False)
    return network, onnx_graph(settings, {name: t.numpy() for name, t in network.state_dict().items()})


def run(graph, pairs):
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    return session.run(["scores", "rows", "weights"], feed(pad(pairs, range(len(pairs)))))


@pytest.mark.parametrize("n_classes", [1, 4])
@pytest.mark.parametrize("pooler", ["structured", "mean", "max", "last"])
@pytest.mark.parametrize("encoder", ["static", "bilstm", "cnn", "transformer"])
@pytest.mark.parametrize("head", HEADS)
def test_onnx_runtime_agrees_with_torch(head, encoder, pooler, n_classes):
    network, graph = made(head, encoder=encoder, pooler=pooler, n_classes=n_classes)
    found = run(graph, PAIRS)
    with torch.inference_mode():
        expected = network(*tensors_of(pad(PAIRS, range(len(PAIRS)))))
    assert found[0].shape == (16, n_classes)
    assert found[1].shape[0] == found[2].shape[0] == 32, "rows and weights of all firsts, then of all seconds"
    for ours, theirs in zip((expected.scores, expected.rows, expected.weights), found, strict=True):
        assert np.isfinite(theirs).all()
        np.testing.assert_allclose(theirs, ours.numpy(), atol=1e-5)


@pytest.mark.parametrize("head", HEADS)
def test_company_changes_nothing(head):
    _, graph = made(head)
    together = run(graph, PAIRS)[0]
    for i in range(len(PAIRS)):
        np.testing.assert_allclose(run(graph, PAIRS[i : i + 1])[0][0], together[i], atol=1e-5)


@pytest.mark.parametrize("head", HEADS)
def test_a_graph_of_pairs_that_differs_is_refused(head):
    network, graph = made(head)
    assert check_parity(network, graph, PAIRS) < 1e-5
    network.head.answer.bias.add_(1.0)
    with pytest.raises(RuntimeError, match="differs from the trained network"):
        check_parity(network, graph, PAIRS)


def test_likeness_is_directed_for_labels_alone():
    """Who follows from whom is a question of order; how alike two texts are is not."""
    first, second = PAIRS[3], Two(PAIRS[3].second, PAIRS[3].first)
    assert len(first.first) != len(first.second)
    for n_classes, is_equal in ((1, True), (3, False)):
        scores = run(made("likeness", n_classes=n_classes)[1], [first, second])[0]
        assert np.allclose(scores[0], scores[1], atol=1e-5) is is_equal


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("n_texts", [1, 3])
def test_an_odd_number_of_texts_is_refused(head, n_texts):
    """An empty half would end the whole process inside ONNX Runtime."""
    session = onnxruntime.InferenceSession(made(head)[1], providers=["CPUExecutionProvider"])
    with pytest.raises(Exception, match="reshape"):
        session.run(["scores"], feed(pad(TEXTS[:1] * n_texts, range(n_texts))))
