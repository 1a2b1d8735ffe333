"""The poolers: states to rows and weights."""

from __future__ import annotations

from heedful.network.part import Part

_BASELINES = "heedful.network.poolers.mean_max_last"

POOLERS: dict[str, Part] = {
    "structured": Part(
        layer="heedful.network.poolers.hop_attention:hops_of",
        nodes="heedful.network.poolers.hop_attention_onnx:hop_rows",
        settings=("score", "n_hops", "attention_width"),
        sizes=("width",),
        nodes_take=("score", "is_lookup"),
        can_lack_hops=True,
        is_weighted_sum=True,
    ),
    "mean": Part(layer=f"{_BASELINES}:MeanPooler", nodes=f"{_BASELINES}_onnx:mean_rows", is_weighted_sum=True),
    "first": Part(layer=f"{_BASELINES}:FirstPooler", nodes=f"{_BASELINES}_onnx:first_rows", is_weighted_sum=True),
    "max": Part(layer=f"{_BASELINES}:MaxPooler", nodes=f"{_BASELINES}_onnx:max_rows"),
    "last": Part(
        layer=f"{_BASELINES}:LastPooler",
        nodes=f"{_BASELINES}_onnx:last_rows",
        sizes=("bidirectional",),
        nodes_take=("bidirectional",),
    ),
    "each": Part(
        layer="heedful.network.poolers.per_token:per_token",
        nodes="heedful.network.poolers.per_token_onnx:token_rows",
        settings=("score", "attention_width"),
        sizes=("width",),
        nodes_take=("score",),
        row_per_token=True,
        ends_in_sum=True,
        where_linked=Part(
            layer="heedful.network.poolers.per_node:PerNode",
            nodes="heedful.network.poolers.per_node_onnx:node_rows",
            settings=("dropout",),
            sizes=("width", "n_links"),
            needs_neighbours=True,
            row_per_token=True,
            ends_in_sum=True,
        ),
    ),
}
