"""The wide part of a network as ONNX nodes."""

from __future__ import annotations

from heedful.data.input_spec import NGRAM_COUNTS, NGRAMS
from heedful.network.heads.parts import NGRAM_MAP, NGRAM_VALUES
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.wide.ngram_scores import EPSILON

AXES: list[str | int] = ["batch", "n-gram"]


def wide_scores(graph: Graph, weights: Weights) -> str:
    """The scores of the n-grams (batch, class) without their bias.

    Their values and the map are outputs, by which the scores can be taken apart.
    """
    ids = graph.input(NGRAMS, AXES)
    counts = graph.input(NGRAM_COUNTS, AXES, is_float=True)
    table = graph.matrix(weights["wide.weight"])
    values = graph.node("Mul", graph.node("Gather", graph.matrix(weights["wide.factors"]), ids), counts)
    length = graph.node("ReduceL2", values, axes=[1], keepdims=1)
    values = graph.node("Div", values, graph.node("Max", length, graph.constant([EPSILON])))  # (batch, n-gram)
    row = graph.node("Unsqueeze", values, graph.constant([1]))  # (batch, 1, n-gram)
    scores = graph.node("MatMul", row, graph.node("Gather", table, ids))  # (batch, 1, class)
    graph.output(NGRAM_VALUES, values, AXES)
    graph.output(NGRAM_MAP, table, ["known n-gram", "class"])
    return graph.node("Squeeze", scores, graph.constant([1]))
