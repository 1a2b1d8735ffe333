"""The whole graph of a model."""

from __future__ import annotations

from collections.abc import Callable

from heedful.config import ModelSettings
from heedful.export.encoders import Weights, bilstm_states, cnn_states, static_states
from heedful.export.graph import Graph
from heedful.export.heads import full_scores, pruned_scores
from heedful.export.inputs import Inputs, declare_inputs
from heedful.export.poolers import last_of_both_pool, last_pool, max_pool, mean_pool, structured_pool, table_pool

ENCODERS: dict[str, Callable[[Graph, Weights, str, Inputs], str]] = {
    "static": static_states,
    "bilstm": bilstm_states,
    "cnn": cnn_states,
}
POOLERS: dict[str, Callable[[Graph, Weights, str, Inputs], tuple[str, str]]] = {
    "structured": structured_pool,
    "mean": mean_pool,
    "max": max_pool,
    "last": last_pool,
}
SPECIAL_POOLERS = {("static", "structured"): table_pool, ("bilstm", "last"): last_of_both_pool}
HEADS: dict[str, Callable[[Graph, Weights, str], str]] = {"full": full_scores, "pruned": pruned_scores}


def onnx_graph(settings: ModelSettings, weights: Weights) -> bytes:
    """Write ids (batch, time) and lengths (batch,) to scores, rows and weights."""
    graph = Graph()
    inputs = declare_inputs(graph)
    x = graph.node("Gather", graph.constant(weights["embed.weight"], name="embed"), inputs.ids)  # (batch, time, width)
    states = ENCODERS[settings.encoder](graph, weights, x, inputs)
    pool = SPECIAL_POOLERS.get((settings.encoder, settings.pooler)) or POOLERS[settings.pooler]
    rows, attention = pool(graph, weights, states, inputs)
    graph.output("scores", HEADS[settings.head](graph, weights, rows), ["batch", "class"])
    graph.output("rows", rows, ["batch", "hop", "width"])
    graph.output("weights", attention, ["batch", "hop", "time"])
    return graph.to_bytes(description=f"{settings.encoder} encoder, {settings.pooler} pooler, {settings.head} head")
