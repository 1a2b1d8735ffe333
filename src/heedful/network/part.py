"""What a part of a network is: a layer, its ONNX nodes, and what both are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from heedful.lazy import imported


@dataclass(frozen=True)
class Part:
    """One choice for a front, an encoder, a wrapper, a pooler, a head or a score.

    Layers and nodes are "module:name" strings, imported on use: the tables of parts need neither torch nor ONNX.
    """

    layer: str  # the class, or a function that returns the layer
    nodes: str  # the function that writes its ONNX nodes
    settings: tuple[str, ...] = ()  # of `[model]` that the layer takes, each a keyword of the same name
    sizes: tuple[str, ...] = ()  # keywords whose values come from the input or from the parts before
    nodes_take: tuple[str, ...] = ()  # settings and sizes that the nodes cannot read from the weights
    needs_neighbours: bool = False  # only for inputs with links
    needs_two_texts: bool = False  # a head for pairs
    row_per_token: bool = False  # a pooler that gives, or a head that takes, a row for each token
    can_lack_hops: bool = False  # a pooler of several hops, or a head that can answer without some of them
    is_weighted_sum: bool = False  # a pooler whose rows are sums of states by its weights
    ends_in_sum: bool = False  # a pooler whose rows are such sums, after the token's own state or without it
    is_linear: bool = False  # a head whose scores are sums over tokens
    one_width: bool = False  # a score whose queries are as wide as its keys
    input_factor: int = 1  # a wrapper whose encoder takes vectors so many times as wide
    is_bidirectional: bool = False  # the halves of a state are two directions; of a wrapper: as in its encoder
    has_self_attention: bool = False  # an encoder whose layers have attention weights between tokens
    tuning: Mapping[str, Any] = field(default_factory=dict)  # defaults of training that starts from such an encoder
    is_lookup: bool = False  # a token's vector is a row of `embed.weight`, wherever the token stands
    where_linked: Part | None = None  # in its place where the input has links

    def build(self, values: Mapping[str, Any]) -> Any:
        """Return a new layer, made from the settings and sizes that it takes."""
        return imported(self.layer)(**{name: values[name] for name in (*self.settings, *self.sizes)})

    def writer(self, values: Mapping[str, Any]) -> Any:
        """Return the function that writes the nodes, given what it takes of the settings and sizes."""
        return partial(imported(self.nodes), **{name: values[name] for name in self.nodes_take})
