"""The whole graph of a model."""

from __future__ import annotations

from heedful.data.input_spec import InputSpec
from heedful.network.choice import Choice, chosen_parts
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import AXES, Encode, declare_inputs, with_keep, without_special
from heedful.network.poolers.pooled_onnx import Pooled
from heedful.network.wide.ngram_scores_onnx import wide_scores
from heedful.settings import ModelSettings


def onnx_graph(
    settings: ModelSettings,
    weights: Weights,
    *,
    shape: InputSpec | None = None,
    small: bool = False,
    int8: bool = False,
) -> bytes:
    """Write ids (batch, time) and lengths (batch,) to scores, rows and weights; without classes, to a vector.

    A graph that ends in a vector also gives what is needed to say which words made it: the states, and the map from
    rows to the vector. One that answers from several hops can be asked for the answer without some of them (`keep`).
    A small graph has rounded weights; an int8 graph multiplies whole numbers.
    """
    graph = Graph(small=small, int8=int8)
    shape = shape or InputSpec(n_ids=1)
    parts = chosen_parts(settings, shape)
    inputs = declare_inputs(graph, [name for name in shape.names if name in AXES])  # fronts may declare more
    x = parts.front.writer(parts.values)(graph, weights, inputs)  # (batch, time, width)
    states = encoder_writer(parts)(graph, weights, x, inputs)  # (batch, time, width)
    texts = "batch"
    if shape.n_special and not settings.pool_special:
        inputs = without_special(graph, inputs, before=shape.n_before, after=shape.n_after)
    if parts.can_lack_hops:
        inputs, texts = with_keep(graph, inputs, settings.n_hops), "answer"
    rows, attention = parts.pooler.writer(parts.values)(graph, weights, states, inputs)
    axis = "pair" if parts.head.needs_two_texts else texts
    wide = wide_scores(graph, weights) if shape.n_ngrams else None
    pooled = Pooled(states, rows, axis, parts.pooler.is_weighted_sum, parts.pooler.ends_in_sum, wide)
    parts.head.writer(parts.values)(graph, weights, pooled)
    graph.output("rows", rows, [texts, "hop", "width"])
    graph.output("weights", attention, [texts, "hop", "time"])
    return graph.to_bytes(description=f"{settings.encoder} encoder, {settings.pooler} pooler, {settings.head} head")


def encoder_writer(parts: Choice) -> Encode:
    """Return the writer of the encoder with its wrappers around it."""
    encode: Encode = parts.encoder.writer(parts.values)
    for wrapper in parts.wrappers:
        encode = wrapper.writer(parts.values)(encode)
    return encode
