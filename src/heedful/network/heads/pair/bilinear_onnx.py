"""The bilinear head as ONNX nodes."""

from __future__ import annotations

from heedful.network.heads.pair.gate_onnx import gates_of
from heedful.network.heads.pair.sides_onnx import sides_of
from heedful.network.heads.sum_onnx import PairMaps, give_pair_sum
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.poolers.pooled_onnx import Pooled


def bilinear_scores(graph: Graph, weights: Weights, pooled: Pooled) -> None:
    """Linear terms of both texts and a linear map of their gates, and the parts of the sum that these are."""
    n_hops, width, _ = weights["head.first"].shape
    maps = PairMaps(
        own=(graph.matrix(weights["head.first_own.weight"].T), graph.matrix(weights["head.second_own.weight"].T)),
        gates=(graph.matrix(weights["head.first"]), graph.matrix(weights["head.second"])),
        answer=graph.matrix(weights["head.answer.weight"].T),
        bias=graph.matrix(weights["head.answer.bias"]),
    )
    sides = sides_of(graph, pooled.rows, n_hops, width)
    first, second = (
        graph.node("MatMul", graph.node("Flatten", side), own) for side, own in zip(sides, maps.own, strict=True)
    )
    of_pairs = graph.node("Gemm", gates_of(graph, sides, maps.gates), maps.answer, maps.bias)
    scores = graph.node("Add", of_pairs, graph.node("Add", first, second))
    graph.output("scores", scores, [pooled.axis, "class"])
    give_pair_sum(graph, pooled, maps)
