"""Families of transformers: where each keeps its sizes and weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heedful.errors import ModelFolderError, listed
from heedful.jobs.encoders.transformers.hub_folder import HubFolder


@dataclass(frozen=True)
class Family:
    """Names of a family. In the names of layers `{i}` is the number of the layer, from 0."""

    sizes: Mapping[str, str]  # our setting → key in config.json
    layers: Mapping[str, str]  # our name inside of a layer → theirs
    first_position: int = 0  # row of the table of positions for the first token
    norm_epsilon: str | None = "layer_norm_eps"  # key in config.json
    activation: str = "hidden_act"
    segments: bool = True  # whether there is a table of segments, whose first row is part of every token
    distances: bool = False  # whether there is a table of distances


_SIZES = {
    "units": "hidden_size", "n_layers": "num_hidden_layers", "n_heads": "num_attention_heads",
    "inner_units": "intermediate_size",
}  # fmt: skip
_BERT_LAYERS = {
    "attention.queries": "encoder.layer.{i}.attention.self.query",
    "attention.keys": "encoder.layer.{i}.attention.self.key",
    "attention.values": "encoder.layer.{i}.attention.self.value",
    "attention.join": "encoder.layer.{i}.attention.output.dense",
    "norm_attention": "encoder.layer.{i}.attention.output.LayerNorm",
    "widen": "encoder.layer.{i}.intermediate.dense",
    "narrow": "encoder.layer.{i}.output.dense",
    "norm_connected": "encoder.layer.{i}.output.LayerNorm",
}
_MPNET_LAYERS = {
    **_BERT_LAYERS,
    "attention.queries": "encoder.layer.{i}.attention.attn.q",
    "attention.keys": "encoder.layer.{i}.attention.attn.k",
    "attention.values": "encoder.layer.{i}.attention.attn.v",
    "attention.join": "encoder.layer.{i}.attention.attn.o",
    "norm_attention": "encoder.layer.{i}.attention.LayerNorm",
}
_DISTILBERT_LAYERS = {
    "attention.queries": "transformer.layer.{i}.attention.q_lin",
    "attention.keys": "transformer.layer.{i}.attention.k_lin",
    "attention.values": "transformer.layer.{i}.attention.v_lin",
    "attention.join": "transformer.layer.{i}.attention.out_lin",
    "norm_attention": "transformer.layer.{i}.sa_layer_norm",
    "widen": "transformer.layer.{i}.ffn.lin1",
    "narrow": "transformer.layer.{i}.ffn.lin2",
    "norm_connected": "transformer.layer.{i}.output_layer_norm",
}
_DISTILBERT_SIZES = {"units": "dim", "n_layers": "n_layers", "n_heads": "n_heads", "inner_units": "hidden_dim"}
_BERT = Family(_SIZES, _BERT_LAYERS)
_ROBERTA = Family(_SIZES, _BERT_LAYERS, first_position=2)

FAMILIES: dict[str, Family] = {
    "bert": _BERT,
    "roberta": _ROBERTA,
    "xlm-roberta": _ROBERTA,
    "camembert": _ROBERTA,
    "distilbert": Family(
        _DISTILBERT_SIZES, _DISTILBERT_LAYERS, norm_epsilon=None, activation="activation", segments=False
    ),
    "mpnet": Family(_SIZES, _MPNET_LAYERS, first_position=2, segments=False, distances=True),
}
DEFAULT_EPSILON = 1e-12


def family_of(folder: HubFolder) -> Family:
    """Return the family of a folder's transformer; raise if heedful cannot run it."""
    kind, config = folder.config.get("model_type"), folder.config
    if kind not in FAMILIES:
        known = listed(tuple(FAMILIES))
        raise ModelFolderError(f"{folder.home} has model_type {kind!r:.60}; heedful imports encoders of {known}")
    family = FAMILIES[kind]
    if (act := config.get(family.activation, "gelu")) != "gelu":
        raise ModelFolderError(f"{folder.home} has the activation {act!r:.40}; heedful knows gelu")
    if (positions := config.get("position_embedding_type") or "absolute") != "absolute":
        raise ModelFolderError(
            f"{folder.home} has positions of the type {positions!r:.40}; heedful knows absolute ones"
        )
    return family


def sizes_of(folder: HubFolder, family: Family) -> dict[str, Any]:
    """Return the sizes of the network as settings."""
    sizes = {name: folder.config.get(key) for name, key in family.sizes.items()}
    if missing := [family.sizes[name] for name, value in sizes.items() if type(value) is not int or value < 1]:
        raise ModelFolderError(f"{folder.home}: config.json has no valid {missing[0]}")
    epsilon = folder.config.get(family.norm_epsilon, DEFAULT_EPSILON) if family.norm_epsilon else DEFAULT_EPSILON
    if not isinstance(epsilon, float):
        raise ModelFolderError(f"{folder.home}: config.json has no valid {family.norm_epsilon}")
    return {**sizes, "norm_epsilon": epsilon}
