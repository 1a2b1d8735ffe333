"""Outputs by which the score of each label is a sum over tokens, or over tokens and pairs of tokens."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heedful.network.heads.parts import (
    PAIR_ANSWER,
    PAIR_GATES,
    PAIR_MAPS,
    STATES,
    SUM_BIAS,
    SUM_LENGTH,
    SUM_MAP,
    TOKEN_BIAS,
    TOKEN_MAP,
)
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.poolers.pooled_onnx import Pooled


def answer_bias(weights: Weights) -> NDArray[np.float32]:
    """Return the bias of the scores (class,): that of the head, and that of the wide part if there is one."""
    own, wide = weights["head.answer.bias"], weights.get("wide.bias")
    return own if wide is None else own + wide


def give_sum(graph: Graph, pooled: Pooled, linear: str, bias: str, *, length: str | None = None) -> None:
    """Declare the states, the linear map of M (hop · width, class), its bias, and a length that divides the sum.

    Only rows that are sums of states by the weights can be taken apart. With other poolers nothing is declared.
    """
    if not pooled.is_weighted_sum:
        return
    graph.output(STATES, pooled.states, ["batch", "time", "width"])
    graph.output(SUM_MAP, linear, ["hops x width", "class"])
    graph.output(SUM_BIAS, bias, ["class"])
    if length is not None:
        graph.output(SUM_LENGTH, length, [pooled.axis, 1])


class PairMaps(NamedTuple):
    """Names of the weights of a bilinear head in the graph, those of either text in a tuple."""

    own: tuple[str, str]  # (hop · width, class)
    gates: tuple[str, str]  # (hop, width, gate)
    answer: str  # (hop · gate, class)
    bias: str  # (class,)


def give_pair_sum(graph: Graph, pooled: Pooled, maps: PairMaps) -> None:
    """Declare the states and the maps by which scores are sums over the tokens and the pairs of tokens of two texts.

    With poolers whose rows are not sums of states by the weights, nothing is declared.
    """
    if not pooled.is_weighted_sum:
        return
    graph.output(STATES, pooled.states, ["batch", "time", "width"])
    for names, sources, axes in (
        (PAIR_MAPS, maps.own, ["hops x width", "class"]),
        (PAIR_GATES, maps.gates, ["hop", "width", "gate"]),
    ):
        for name, source in zip(names, sources, strict=True):
            graph.output(name, source, list(axes))
    graph.output(PAIR_ANSWER, maps.answer, ["hops x gates", "class"])
    graph.output(SUM_BIAS, maps.bias, ["class"])


def give_token_sum(graph: Graph, pooled: Pooled, linear: str, bias: str) -> None:
    """Declare the states, the linear map of a token's row (row width, class) and its bias.

    A row is [H_i ; Σ_j A_ij H_j], or the sum alone. With poolers of other rows nothing is declared.
    """
    if not pooled.ends_in_sum:
        return
    graph.output(STATES, pooled.states, ["batch", "time", "width"])
    graph.output(TOKEN_MAP, linear, ["row width", "class"])
    graph.output(TOKEN_BIAS, bias, ["class"])
