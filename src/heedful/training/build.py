"""The one table from names to layers. Config stops here: layers take plain keywords."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from heedful.config import ModelSettings
from heedful.errors import ConfigError
from heedful.layers.beside import Beside
from heedful.layers.bilstm import BiLstm
from heedful.layers.cnn import Cnn
from heedful.layers.embed import Embed
from heedful.layers.heads import FullHead, MappedHead, PrunedHead, VectorHead
from heedful.layers.hop_attention import HopAttention
from heedful.layers.pooling import LastPooler, MaxPooler, MeanPooler
from heedful.layers.scores import Additive, Content, Dot, General, Location, ScaledDot, Score
from heedful.layers.static import StaticEncoder
from heedful.layers.structured_attention import StructuredAttention
from heedful.layers.transformer import Transformer
from heedful.training.network import Network

ENCODERS: dict[str, Callable[[int, ModelSettings], nn.Module]] = {
    "static": lambda width, _: StaticEncoder(width),
    "bilstm": lambda width, s: BiLstm(width, s.units),
    "cnn": lambda width, s: Cnn(width, s.units, kernel_sizes=s.kernel_sizes),
    "transformer": lambda width, s: Transformer(
        width, s.units, n_layers=s.n_layers, n_heads=s.n_heads, inner=s.inner_units
    ),
}

# From the widths of queries and keys, and the width inside where there is one.
SCORES: dict[str, Callable[[int, int, int], Score]] = {
    "additive": lambda query, key, inside: Additive(query, key, width=inside),
    "dot": lambda query, key, _: Dot(query, key),
    "scaled_dot": lambda query, key, _: ScaledDot(query, key),
    "general": lambda query, key, _: General(query, key),
    "content": lambda query, key, _: Content(query, key),
    "location": lambda query, _, inside: Location(query, width=inside),
}
ONE_WIDTH = ("dot", "scaled_dot", "content")  # scores whose queries are as wide as their keys


def build_hops(width: int, settings: ModelSettings) -> nn.Module:
    """Make the attention over states: the paper's own layer for the additive score, learned queries for others."""
    if settings.score == "additive":
        return StructuredAttention(width, n_hops=settings.n_hops, attention_width=settings.attention_width)
    query_width = width if settings.score in ONE_WIDTH else settings.attention_width
    score = SCORES[settings.score](query_width, width, settings.attention_width)
    return HopAttention(score, n_hops=settings.n_hops)


POOLERS: dict[str, Callable[[int, ModelSettings], nn.Module]] = {
    "structured": build_hops,
    "mean": lambda _, __: MeanPooler(),
    "max": lambda _, __: MaxPooler(),
    "last": lambda _, s: LastPooler(bidirectional=s.encoder == "bilstm" and not s.keep_words),
}

HEADS: dict[str, Callable[[int, int, int, ModelSettings], nn.Module]] = {
    "full": lambda hops, width, n, s: FullHead(hops, width, n, hidden=s.hidden, dropout=s.dropout),
    "pruned": lambda hops, width, n, s: PrunedHead(
        hops, width, n, row_units=s.row_units, column_units=s.column_units, dropout=s.dropout
    ),
    "mapped": lambda hops, width, n, s: MappedHead(hops, width, n, vector_width=s.vector_width, dropout=s.dropout),
    "vector": lambda hops, width, _, s: VectorHead(hops, width, s.vector_width),
}


def build_network(
    settings: ModelSettings, *, n_ids: int, n_classes: int = 0, tune: bool = True, seed: int = 0
) -> Network:
    """Make a fresh network; the same seed gives the same weights. One that ends in vectors has no classes."""
    if settings.encoder == "transformer" and settings.units % settings.n_heads:
        raise ConfigError([f"model.units is {settings.units}, which {settings.n_heads} heads cannot share evenly."])
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        embed = Embed(n_ids, settings.embed_width, tune=tune)
        encoder = ENCODERS[settings.encoder](settings.embed_width, settings)
        if settings.keep_words:
            encoder = Beside(encoder, settings.embed_width)  # type: ignore[arg-type]
        width = int(encoder.width)  # type: ignore[arg-type]
        pooler = POOLERS[settings.pooler](width, settings)
        head = HEADS[settings.head](int(pooler.n_hops), width, n_classes, settings)  # type: ignore[arg-type]
    return Network(embed, encoder, pooler, head, dropout=settings.dropout)  # type: ignore[arg-type]
