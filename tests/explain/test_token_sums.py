"""Bias, own state and the tokens looked at sum to the scores of each token: for every graph of a tagger."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tests.network.graph_cases import PER_TOKEN, GraphCase, every_case, inputs_of

from heedful.data.batch import pad
from heedful.explain.token_sums import TokenMap
from heedful.network.heads.parts import STATES, SUM_MAP, TOKEN_BIAS, TOKEN_MAP
from heedful.network.heads.tag.tag_head import TagHead
from heedful.network.heads.tag.tag_head_onnx import tag_scores
from heedful.network.onnx_graph import Graph
from heedful.network.poolers.pooled_onnx import Pooled
from heedful.runtime.session import Session

CASES = {str(case): case for case in every_case() if case.settings.get("head") == "tag"}


def halves(whole: np.ndarray, bias: np.ndarray, width: int) -> TokenMap:
    """Return the map of a graph in its two halves, by hand."""
    own = whole[:width].astype(np.float64) if len(whole) == 2 * width else None
    return TokenMap(own, whole[-width:].astype(np.float64), bias.astype(np.float64))


@pytest.mark.parametrize("name", CASES)
def test_the_parts_sum_to_the_scores_of_every_graph(name):
    case = CASES[name]
    session = Session(case.made()[1], outputs=("scores", STATES, TOKEN_MAP, TOKEN_BIAS), inputs=case.shape.names)
    batch = pad(features := list(inputs_of(case.shape)), range(len(features)))
    scores, weights, states, whole, bias = session.run(batch, ["scores", "weights", STATES, TOKEN_MAP, TOKEN_BIAS])
    assert SUM_MAP not in session.outputs  # that is the sum of a whole text
    for row, n in enumerate(batch.lengths):
        parts = halves(whole, bias, states.shape[-1]).sum_of(states[row, :n])
        looked = weights[row, :n, :n, None] * parts.values[None]  # (token, token looked at, label)
        np.testing.assert_allclose(parts.bias + parts.own + looked.sum(axis=1), scores[row, :n], atol=1e-5)


def test_there_are_cases_of_every_kind():
    assert any(case.small for case in CASES.values())
    assert any(case.shape.n_links for case in CASES.values())
    assert any(case.settings.get("crf") for case in CASES.values())
    assert any("pieces" in case.shape.names for case in CASES.values())


def test_a_node_has_no_state_of_its_own_in_its_row():
    case = next(case for case in CASES.values() if case.shape.n_links)
    session = Session(case.made()[1], outputs=(STATES, TOKEN_MAP), inputs=case.shape.names)
    states, whole = session.run(pad([next(inputs_of(case.shape))], [0]), [STATES, TOKEN_MAP])
    assert len(whole) == states.shape[-1]


@pytest.mark.parametrize(("hidden", "ends_in_sum"), [(0, True), (5, True), (0, False)])
def test_only_a_linear_head_over_sums_gives_the_parts(hidden, ends_in_sum):
    head = TagHead(8, 3, hidden=hidden)
    weights = {f"head.{name}": tensor.numpy() for name, tensor in head.state_dict().items()}
    graph = Graph()
    x = graph.input("x", ["batch", "time", 4], is_float=True)
    states = graph.node("Relu", x)
    rows = graph.node("Concat", states, states, axis=2)
    with torch.no_grad():
        tag_scores(graph, weights, Pooled(states, rows, "batch", ends_in_sum=ends_in_sum))
    outputs = graph.to_bytes(description="")
    assert (TOKEN_MAP.encode() in outputs) == (not hidden and ends_in_sum)


def test_graphs_of_texts_do_not_give_them():
    assert TOKEN_MAP not in Session(GraphCase().made()[1], outputs=("scores",)).outputs
    assert TOKEN_MAP in Session(GraphCase(PER_TOKEN).made()[1], outputs=("scores",)).outputs
