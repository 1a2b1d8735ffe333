"""Poolers as ONNX nodes: states to (rows, weights)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from onnx import TensorProto

from heedful.network.encoders.encoders_onnx import Weights
from heedful.network.onnx_graph import Graph
from heedful.network.onnx_inputs import Inputs
from heedful.network.scores_onnx import SCORES

Pool = Callable[[Graph, Weights, str, Inputs], tuple[str, str]]
LOW = float(np.finfo(np.float32).min)


def with_keep(graph: Graph, inputs: Inputs, n_hops: int) -> Inputs:
    """Add the input `keep`, which need not be given and is then 1 for every hop; a hop with 0 reads nothing.

    Its row is then 0 and the answer is made without it. It goes into the mask, where it costs least. There may be one
    `keep` for all texts, one for each, or many for one text, which is then encoded once and answered many times; so the
    first axis from here on is not that of the batch.
    """
    keep = graph.input("keep", ["one or answers", n_hops, 1], is_float=True)
    ones = graph.constant(np.ones((1, n_hops, 1)), name=keep)
    return replace(inputs, mask_row=graph.node("Mul", inputs.mask_row, ones))  # (answer, hop, time)


def structured_pool(graph: Graph, weights: Weights, states: str, inputs: Inputs) -> tuple[str, str]:
    """A = softmax(W_s2 tanh(W_s1 Hᵀ)), M = A H."""
    inner = graph.node("Tanh", graph.node("MatMul", states, graph.matrix(weights["pooler.inner.weight"].T)))
    scores = graph.node("MatMul", inner, graph.matrix(weights["pooler.hops.weight"].T))  # (batch, time, hop)
    return attend(graph, graph.node("Transpose", scores, perm=[0, 2, 1]), states, inputs)


def hop_pool(score: str) -> Pool:
    """Return the writer of hops that are learned queries, scored by this function."""

    def pool(graph: Graph, weights: Weights, states: str, inputs: Inputs) -> tuple[str, str]:
        queries = graph.matrix(weights["pooler.queries"][None])  # (1, hop, width)
        return attend(graph, SCORES[score](graph, weights, queries, states, "pooler.score"), states, inputs)

    return pool


def table_pool(graph: Graph, weights: Weights, states: str, inputs: Inputs) -> tuple[str, str]:
    """Structured attention over a static encoder: each word's scores are known beforehand, so they are looked up."""
    inner = np.tanh(weights["embed.weight"] @ weights["pooler.inner.weight"].T)
    table = inner @ weights["pooler.hops.weight"].T  # (id, hop)
    scores = graph.node("Gather", graph.matrix(table), inputs.ids)  # (batch, time, hop)
    return attend(graph, graph.node("Transpose", scores, perm=[0, 2, 1]), states, inputs)


def attend(graph: Graph, scores: str, states: str, inputs: Inputs) -> tuple[str, str]:
    """Softmax of scores (batch, hop, time) over the real tokens, exactly 0 on pads; all 0 for an empty text."""
    real = graph.node("Unsqueeze", inputs.mask, graph.constant([1]))
    shares = graph.node("Softmax", graph.node("Where", real, scores, graph.constant(LOW)), axis=-1)
    weights = graph.node("Mul", shares, inputs.mask_row)
    return graph.node("MatMul", weights, states), weights


def mean_pool(graph: Graph, _: Weights, states: str, inputs: Inputs) -> tuple[str, str]:
    """Equal weights."""
    count = graph.node("Cast", inputs.steps, to=TensorProto.FLOAT)  # (batch,)
    weights = graph.node("Div", inputs.mask_row, graph.node("Unsqueeze", count, graph.constant([1, 2])))
    return graph.node("MatMul", weights, states), weights


def max_pool(graph: Graph, _: Weights, states: str, inputs: Inputs) -> tuple[str, str]:
    """The largest value in each column; a token's weight is the share of columns it wins."""
    real = graph.node("Unsqueeze", inputs.mask, graph.constant([2]))
    seen = graph.node("Where", real, states, graph.constant(LOW))  # (batch, time, width)
    some = graph.node("ReduceMax", inputs.mask_row, axes=[2], keepdims=1)  # (batch, 1, 1)
    row = graph.node("Mul", graph.node("ReduceMax", seen, axes=[1], keepdims=1), some)
    winner = graph.node("ArgMax", seen, axis=1, keepdims=0)  # (batch, width)
    won = graph.node("OneHot", winner, inputs.time, graph.constant([0.0, 1.0]), axis=1)  # (batch, time, width)
    share = graph.node("ReduceMean", won, axes=[2], keepdims=0)  # (batch, time)
    return row, graph.node("Mul", graph.node("Unsqueeze", share, graph.constant([1])), some)


def last_pool(graph: Graph, _: Weights, states: str, inputs: Inputs) -> tuple[str, str]:
    """The last token's state."""
    final = _one_hot_last(graph, inputs)
    return graph.node("MatMul", final, states), final


def last_of_both_pool(graph: Graph, _: Weights, states: str, inputs: Inputs) -> tuple[str, str]:
    """The forward half at the last token, the backward half at the first."""
    final = _one_hot_last(graph, inputs)
    at_zero = graph.node("OneHot", graph.constant([0]), inputs.time, graph.constant([0.0, 1.0]))  # (1, time)
    first = graph.node("Mul", graph.node("Unsqueeze", at_zero, graph.constant([0])), inputs.mask_row)
    width = graph.node("Gather", graph.node("Shape", states), graph.constant(2))
    half = graph.node("Unsqueeze", graph.node("Div", width, graph.constant(2)), graph.constant([0]))
    whole = graph.node("Unsqueeze", width, graph.constant([0]))
    ahead = graph.node("Slice", states, graph.constant([0]), half, graph.constant([2]))
    back = graph.node("Slice", states, half, whole, graph.constant([2]))
    row = graph.node("Concat", graph.node("MatMul", final, ahead), graph.node("MatMul", first, back), axis=2)
    return row, graph.node("Mul", graph.node("Add", final, first), graph.constant(0.5))


def _one_hot_last(graph: Graph, inputs: Inputs) -> str:
    """Return (batch, 1, time) with 1 on the last token, all 0 for an empty text."""
    steps = graph.node("Cast", inputs.steps, to=TensorProto.INT64)
    at = graph.node("Unsqueeze", graph.node("Sub", steps, graph.constant(1)), graph.constant([1]))  # (batch, 1)
    return graph.node("Mul", graph.node("OneHot", at, inputs.time, graph.constant([0.0, 1.0])), inputs.mask_row)
