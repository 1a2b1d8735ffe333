"""Every part of the tables gives in ONNX Runtime what it gives in torch."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tests.network.graph_cases import GraphCase, every_case

from heedful.data.batch import Batch, feed, pad
from heedful.network.encoders.parts import ENCODERS
from heedful.network.fronts.parts import FRONTS
from heedful.network.heads.parts import HEADS
from heedful.network.network import Network, front_inputs
from heedful.network.parity import check_parity, small_session
from heedful.network.poolers.parts import POOLERS
from heedful.network.scores.parts import SCORES
from heedful.network.tensors import tensors_of
from heedful.network.wrappers.parts import WRAPPERS

CASES = {str(case): case for case in every_case()}
CLOSE, SMALL_CLOSE = 1e-5, 1e-3  # in a small graph the static encoder's table of scores is rounded too


def run_torch(network: Network, batch: Batch) -> dict[str, np.ndarray]:
    inputs, mask = tensors_of(batch)
    with torch.inference_mode():
        output = network(inputs, mask)
        states = network.states(network.embed(front_inputs(inputs)), mask, inputs)
    tensors = {**output._asdict(), "vector": output.scores, "states": states}
    return {name: tensor.numpy() for name, tensor in tensors.items()}


@pytest.mark.parametrize("name", CASES)
def test_onnx_runtime_agrees_with_torch(name):
    case = CASES[name]
    (network, graph), features = case.made(), case.features
    session, batch = small_session(graph), pad(features, range(len(features)))
    outputs = [output.name for output in session.get_outputs()]
    together = dict(zip(outputs, session.run(outputs, feed(batch)), strict=True))
    ours, atol = run_torch(network, batch), SMALL_CLOSE if case.small else CLOSE
    for output in {"scores", "vector", "rows", "weights"} & set(outputs):
        assert np.isfinite(together[output]).all(), output
        np.testing.assert_allclose(together[output], ours[output], atol=atol, rtol=1e-5, err_msg=output)
    if "vector" in outputs:
        assert_vector_is_made_of_words(together, ours["states"], batch, atol)
    assert_company_changes_nothing(session, features, together, atol)
    assert check_parity(network, graph, features, small=case.small) < atol


def assert_vector_is_made_of_words(together, states, batch, atol):
    """The states of real tokens are torch's, and an empty text has the vector 0."""
    real = np.arange(batch.time) < batch.lengths[:, None]
    np.testing.assert_allclose(together["states"][real], states[real], atol=atol, rtol=1e-5)
    assert not together["vector"][batch.lengths == 0].any()


def assert_company_changes_nothing(session, features, together, atol):
    """The last input alone has the answer that it has in a batch, padded."""
    answer = "vector" if "vector" in together else "scores"
    batch = pad(features, [len(features) - 1])
    alone = session.run([answer], feed(batch))[0][0]
    np.testing.assert_allclose(together[answer][-1][: len(alone)], alone, atol=atol, rtol=1e-5)


def test_every_part_of_every_table_is_run():
    settings = [
        {"encoder": "bilstm", "pooler": "structured", "head": "linear", **case.settings} for case in CASES.values()
    ]
    for table, name in ((ENCODERS, "encoder"), (POOLERS, "pooler"), (HEADS, "head")):
        assert {chosen[name] for chosen in settings} == set(table)
    assert {chosen.get("score", "additive") for chosen in settings} == set(SCORES)
    assert {case.shape.front for case in CASES.values()} == set(FRONTS)
    assert all(any(chosen.get(name) for chosen in settings) for name in WRAPPERS)


@pytest.mark.parametrize("head", ["linear", "pruned", "vector", "gated", "tag"])
def test_a_graph_that_differs_is_refused(head):
    case = GraphCase({"head": head, "pooler": "each" if HEADS[head].row_per_token else "structured"})
    network, graph = case.made()
    assert check_parity(network, graph, case.features) < CLOSE
    for parameter in network.head.parameters():
        parameter.add_(1.0)
    with pytest.raises(RuntimeError, match="differs from the trained network"):
        check_parity(network, graph, case.features)


def test_weights_of_attention_that_differ_are_refused():
    network, graph = (case := GraphCase()).made()
    network.pooler.inner.weight.add_(1.0)
    with pytest.raises(RuntimeError, match="differs from the trained network"):
        check_parity(network, graph, case.features)
