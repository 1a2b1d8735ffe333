"""Outputs by which the score of each label is a sum over tokens."""

from __future__ import annotations

from heedful.network.heads.parts import STATES, SUM_BIAS, SUM_LENGTH, SUM_MAP, TOKEN_BIAS, TOKEN_MAP
from heedful.network.onnx_graph import Graph
from heedful.network.poolers.pooled_onnx import Pooled


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


def give_token_sum(graph: Graph, pooled: Pooled, linear: str, bias: str) -> None:
    """Declare the states, the linear map of a token's row (row width, class) and its bias.

    A row is [H_i ; Σ_j A_ij H_j], or the sum alone. With poolers of other rows nothing is declared.
    """
    if not pooled.ends_in_sum:
        return
    graph.output(STATES, pooled.states, ["batch", "time", "width"])
    graph.output(TOKEN_MAP, linear, ["row width", "class"])
    graph.output(TOKEN_BIAS, bias, ["class"])
