"""How the vectors of two texts differ and agree, as ONNX nodes."""

from __future__ import annotations

import math

from heedful.network.heads.mapped import EPSILON
from heedful.network.heads.pair.sides_onnx import sides_of
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_layers import linear_of_rows, unit_rows
from heedful.network.poolers.pooled_onnx import Pooled


def likeness_scores(graph: Graph, weights: Weights, pooled: Pooled) -> None:
    """|u − v|, u ⊙ v and the cosine of the two vectors, where it is directed u − v too, and a linear answer."""
    linear = weights["head.vector.map.weight"]
    vector = graph.node("MatMul", graph.node("Flatten", pooled.rows), graph.matrix(linear.T))  # (2 · pair, vector)
    unit = unit_rows(graph, vector, epsilon=EPSILON)
    u, v = sides_of(graph, graph.node("Mul", unit, graph.constant(math.sqrt(len(linear)))), len(linear))
    apart, product = graph.node("Sub", u, v), graph.node("Mul", u, v)
    is_directed = weights["head.answer.weight"].shape[1] == 3 * len(linear) + 1
    seen = [apart] if is_directed else []
    seen += [graph.node("Abs", apart), product, graph.node("ReduceMean", product, axes=[1], keepdims=1)]
    scores = linear_of_rows(graph, weights, graph.node("Concat", *seen, axis=1), "head.answer")
    graph.output("scores", scores, [pooled.axis, "class"])
