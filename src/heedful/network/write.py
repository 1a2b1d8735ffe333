"""The whole graph of a model."""

from __future__ import annotations

from collections.abc import Callable

from heedful.data.input_spec import InputShape
from heedful.network.encoders.encoders_onnx import Encode, Weights, beside, bilstm_states, cnn_states, static_states
from heedful.network.encoders.graph_attention_onnx import graph_attention_states
from heedful.network.encoders.neighbour_attention_onnx import neighbour_states
from heedful.network.encoders.transformer_onnx import transformer_states
from heedful.network.fronts.fronts_onnx import front
from heedful.network.heads.heads_onnx import full_scores, mapped_scores, pruned_scores, vector_of
from heedful.network.heads.pair_heads_onnx import PAIR_HEADS
from heedful.network.heads.tag_head_onnx import tag_scores
from heedful.network.onnx_graph import Graph
from heedful.network.onnx_inputs import AXES, declare_inputs
from heedful.network.poolers.per_node_onnx import each_near_pool
from heedful.network.poolers.per_token_onnx import each_pool
from heedful.network.poolers.poolers_onnx import (
    Pool,
    hop_pool,
    last_of_both_pool,
    last_pool,
    max_pool,
    mean_pool,
    structured_pool,
    table_pool,
    with_keep,
)
from heedful.network.wrappers.global_sum_onnx import whole
from heedful.network.wrappers.scale_by_length_onnx import counted
from heedful.settings import ModelSettings

ENCODERS: dict[str, Callable[[ModelSettings], Encode]] = {
    "static": lambda _: static_states,
    "bilstm": lambda _: bilstm_states,
    "cnn": lambda _: cnn_states,
    "transformer": lambda s: transformer_states(
        n_layers=s.n_layers, n_heads=s.n_heads, score=s.self_score, has_places=s.places
    ),
    "graph_attention": lambda s: graph_attention_states(n_layers=s.n_layers),
    "neighbours": lambda s: neighbour_states(n_layers=s.n_layers, n_heads=s.n_heads),
}
POOLERS: dict[str, Pool] = {
    "structured": structured_pool,
    "mean": mean_pool,
    "max": max_pool,
    "last": last_pool,
}
SPECIAL_POOLERS = {("static", "structured"): table_pool, ("bilstm", "last"): last_of_both_pool}
ANSWER_HEADS: dict[str, Callable[[Graph, Weights, str], str]] = {
    "full": full_scores,
    "pruned": pruned_scores,
    "mapped": mapped_scores,
}
HEADS = {**ANSWER_HEADS, **PAIR_HEADS}


def onnx_graph(
    settings: ModelSettings, weights: Weights, *, shape: InputShape | None = None, small: bool = False
) -> bytes:
    """Write ids (batch, time) and lengths (batch,) to scores, rows and weights; without classes, to a vector.

    A graph that ends in a vector also gives what is needed to say which words made it: the states, and the map from
    rows to the vector. One that answers from several hops can be asked for the answer without some of them (`keep`).
    """
    graph = Graph(small=small)
    shape = shape or InputShape(n_ids=1)
    inputs = declare_inputs(graph, [name for name in shape.names if name in AXES])  # fronts may declare more
    x = front(graph, weights, inputs, shape)  # (batch, time, width)
    encode = ENCODERS[settings.encoder](settings)
    if settings.whole:
        encode = whole(encode)
    if settings.count:
        encode = counted(encode)
    if settings.keep_words:
        encode = beside(encode)
    states = encode(graph, weights, x, inputs)
    answers = "pair" if settings.head in PAIR_HEADS else "batch"
    texts = "batch"
    if _can_leave_hops_out(settings):
        inputs = with_keep(graph, inputs, settings.n_hops)
        texts = answers = "answer"
    rows, attention = _pooler(settings, shape)(graph, weights, states, inputs)
    if settings.head == "vector":
        linear = graph.matrix(weights["head.map.weight"].T)
        graph.output("vector", vector_of(graph, rows, linear), ["batch", "vector"])
        graph.output("states", states, ["batch", "time", "width"])
        graph.output("map", linear, ["hops x width", "vector"])
    elif settings.head == "tag":
        graph.output("scores", tag_scores(graph, weights, rows), ["batch", "hop", "class"])
    else:
        graph.output("scores", HEADS[settings.head](graph, weights, rows), [answers, "class"])
    graph.output("rows", rows, [texts, "hop", "width"])
    graph.output("weights", attention, [texts, "hop", "time"])
    return graph.to_bytes(description=f"{settings.encoder} encoder, {settings.pooler} pooler, {settings.head} head")


def _can_leave_hops_out(settings: ModelSettings) -> bool:
    """Return whether the answer is made of several hops of one text: without the only one there would be nothing."""
    return settings.pooler == "structured" and settings.n_hops > 1 and settings.head in ANSWER_HEADS


def _pooler(settings: ModelSettings, shape: InputShape) -> Pool:
    if settings.pooler == "each":
        return each_near_pool if shape.n_links else each_pool(settings.score)
    if settings.pooler == "structured" and settings.score != "additive":
        return hop_pool(settings.score)
    kind = (settings.encoder, settings.pooler)
    if kind == ("static", "structured") and (shape.names != ("ids",) or shape.is_one_hot or settings.whole):
        return structured_pool  # there is no table of tokens to know scores from
    is_plain = not settings.keep_words and not settings.count
    return (SPECIAL_POOLERS.get(kind) if is_plain else None) or POOLERS[settings.pooler]
