"""The whole graph of a model."""

from __future__ import annotations

from collections.abc import Callable

from heedful.config import ModelSettings
from heedful.export.encoders import Encode, Weights, beside, bilstm_states, cnn_states, static_states
from heedful.export.graph import Graph
from heedful.export.heads import full_scores, mapped_scores, pruned_scores, vector_of
from heedful.export.inputs import declare_inputs
from heedful.export.poolers import (
    Pool,
    hop_pool,
    last_of_both_pool,
    last_pool,
    max_pool,
    mean_pool,
    structured_pool,
    table_pool,
)
from heedful.export.transformer import transformer_states

ENCODERS: dict[str, Callable[[ModelSettings], Encode]] = {
    "static": lambda _: static_states,
    "bilstm": lambda _: bilstm_states,
    "cnn": lambda _: cnn_states,
    "transformer": lambda s: transformer_states(n_layers=s.n_layers, n_heads=s.n_heads),
}
POOLERS: dict[str, Pool] = {
    "structured": structured_pool,
    "mean": mean_pool,
    "max": max_pool,
    "last": last_pool,
}
SPECIAL_POOLERS = {("static", "structured"): table_pool, ("bilstm", "last"): last_of_both_pool}
HEADS: dict[str, Callable[[Graph, Weights, str], str]] = {
    "full": full_scores,
    "pruned": pruned_scores,
    "mapped": mapped_scores,
}


def onnx_graph(settings: ModelSettings, weights: Weights, *, small: bool = False) -> bytes:
    """Write ids (batch, time) and lengths (batch,) to scores, rows and weights; without classes, to a vector.

    A graph that ends in a vector also gives what is needed to say which words made it: the states, and the map from
    rows to the vector.
    """
    graph = Graph(small=small)
    inputs = declare_inputs(graph)
    x = graph.rows_of(weights["embed.weight"], inputs.ids, name="embed")  # (batch, time, width)
    encode = ENCODERS[settings.encoder](settings)
    if settings.keep_words:
        encode = beside(encode)
    states = encode(graph, weights, x, inputs)
    rows, attention = _pooler(settings)(graph, weights, states, inputs)
    if settings.head == "vector":
        linear = graph.matrix(weights["head.map.weight"].T)
        graph.output("vector", vector_of(graph, rows, linear), ["batch", "vector"])
        graph.output("states", states, ["batch", "time", "width"])
        graph.output("map", linear, ["hops x width", "vector"])
    else:
        graph.output("scores", HEADS[settings.head](graph, weights, rows), ["batch", "class"])
    graph.output("rows", rows, ["batch", "hop", "width"])
    graph.output("weights", attention, ["batch", "hop", "time"])
    return graph.to_bytes(description=f"{settings.encoder} encoder, {settings.pooler} pooler, {settings.head} head")


def _pooler(settings: ModelSettings) -> Pool:
    if settings.pooler == "structured" and settings.score != "additive":
        return hop_pool(settings.score)
    kind = (settings.encoder, settings.pooler)
    return (SPECIAL_POOLERS.get(kind) if not settings.keep_words else None) or POOLERS[settings.pooler]
