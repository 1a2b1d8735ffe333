"""Every combination of encoder, pooler and head gives in ONNX Runtime what it gives in torch."""

import itertools

import numpy as np
import onnxruntime
import pytest
import torch

from heedful.config import Config
from heedful.data.batch import pad
from heedful.export.parity import check_parity
from heedful.export.write import ENCODERS, HEADS, POOLERS, onnx_graph
from heedful.layers.masks import mask_of
from heedful.training import build
from heedful.training.build import build_network

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
COMBINATIONS = list(itertools.product(ENCODERS, POOLERS, HEADS))


def made(encoder: str, pooler: str, head: str):
    settings = Config().changed(encoder=encoder, pooler=pooler, head=head, **SMALL).model
    network = build_network(settings, n_ids=12, n_classes=4).eval()
    return network, onnx_graph(settings, {name: t.numpy() for name, t in network.state_dict().items()})


def test_every_layer_that_can_be_trained_can_be_exported():
    assert set(build.ENCODERS) == set(ENCODERS)
    assert set(build.POOLERS) == set(POOLERS)
    assert set(build.HEADS) == {*HEADS, "vector"}


@pytest.mark.parametrize(("encoder", "pooler", "head"), COMBINATIONS)
def test_onnx_runtime_agrees_with_torch(encoder, pooler, head):
    network, graph = made(encoder, pooler, head)
    batch = pad(TEXTS, range(len(TEXTS)))
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    found = session.run(["scores", "rows", "weights"], {"ids": batch.ids, "lengths": batch.lengths})
    with torch.inference_mode():
        expected = network(torch.from_numpy(batch.ids), mask_of(torch.from_numpy(batch.lengths), batch.ids.shape[1]))
    for ours, theirs in zip((expected.scores, expected.rows, expected.weights), found, strict=True):
        assert np.isfinite(theirs).all()
        assert np.allclose(ours.numpy(), theirs, atol=1e-5)


@pytest.mark.parametrize("encoder", ENCODERS)
def test_padding_and_company_change_nothing_in_onnx_runtime(encoder):
    _, graph = made(encoder, "structured", "pruned")
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
