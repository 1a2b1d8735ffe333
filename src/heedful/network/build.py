"""The one table from names to layers. Config stops here: layers take plain keywords."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from heedful.data.input_spec import InputShape
from heedful.errors import ConfigError
from heedful.inputs.molecule.environments import SurroundedShape
from heedful.network.encoders.bilstm import BiLstm
from heedful.network.encoders.cnn import Cnn
from heedful.network.encoders.graph_attention import GraphAttention
from heedful.network.encoders.neighbour_attention import Neighbours
from heedful.network.encoders.static import StaticEncoder
from heedful.network.encoders.transformer import Transformer
from heedful.network.fronts.embed import Embed, OneHot, Scaled
from heedful.network.fronts.environments import Surrounded
from heedful.network.fronts.word_chars import Spelled
from heedful.network.fronts.word_pieces import InPieces, Pieced
from heedful.network.heads.crf import Crf
from heedful.network.heads.heads import FullHead, MappedHead, PrunedHead, VectorHead
from heedful.network.heads.pair_heads import ConcatHead, GatedHead, LikenessHead
from heedful.network.heads.tag_head import TagHead
from heedful.network.network import Network
from heedful.network.poolers.hop_attention import HopAttention
from heedful.network.poolers.mean_max_last import LastPooler, MaxPooler, MeanPooler
from heedful.network.poolers.per_node import EachNear
from heedful.network.poolers.per_token import EachToken
from heedful.network.poolers.structured_attention import StructuredAttention
from heedful.network.scores import Additive, Content, Dot, General, Location, ScaledDot, Score
from heedful.network.wrappers.global_sum import Whole
from heedful.network.wrappers.keep_input import Beside
from heedful.network.wrappers.scale_by_length import Counted
from heedful.settings import ModelSettings
from heedful.tasks.tag.word_pieces import PieceShape

ENCODERS: dict[str, Callable[[int, ModelSettings, InputShape], nn.Module]] = {
    "static": lambda width, _, __: StaticEncoder(width),
    "bilstm": lambda width, s, _: BiLstm(width, s.units),
    "cnn": lambda width, s, _: Cnn(width, s.units, kernel_sizes=s.kernel_sizes),
    "transformer": lambda width, s, _: Transformer(
        width,
        s.units,
        n_layers=s.n_layers,
        n_heads=s.n_heads,
        inner=s.inner_units,
        places=s.places,
        score=None if s.self_score == "scaled_dot" else lambda head: SCORES[s.self_score](head, head, head),
    ),
    "neighbours": lambda width, s, shape: Neighbours(
        width,
        s.units,
        n_layers=s.n_layers,
        n_heads=s.n_heads,
        inner=s.inner_units,
        n_links=shape.n_links,
        dropout=s.dropout,
        attention_dropout=s.dropout if s.attention_dropout is None else s.attention_dropout,
    ),
    "graph_attention": lambda width, s, shape: GraphAttention(
        width,
        s.units,
        n_layers=s.n_layers,
        n_heads=s.n_heads,
        n_links=shape.n_links,
        dropout=s.dropout,
        attention_dropout=s.dropout if s.attention_dropout is None else s.attention_dropout,
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
    "last": lambda _, s: LastPooler(bidirectional=s.encoder == "bilstm" and not s.keep_words and not s.count),
    "each": lambda width, s: EachToken(width, SCORES[s.score](width, width, s.attention_width)),
}

HEADS: dict[str, Callable[[int, int, int, ModelSettings], nn.Module]] = {
    "full": lambda hops, width, n, s: FullHead(hops, width, n, hidden=s.hidden, dropout=s.dropout),
    "pruned": lambda hops, width, n, s: PrunedHead(
        hops, width, n, row_units=s.row_units, column_units=s.column_units, dropout=s.dropout
    ),
    "mapped": lambda hops, width, n, s: MappedHead(hops, width, n, vector_width=s.vector_width, dropout=s.dropout),
    "vector": lambda hops, width, _, s: VectorHead(hops, width, s.vector_width),
    "tag": lambda _, width, n, s: TagHead(width, n, dropout=s.dropout, crf=Crf(n) if s.crf else None),
    "gated": lambda hops, width, n, s: GatedHead(
        hops, width, n, gate_units=s.gate_units, hidden=s.hidden, dropout=s.dropout
    ),
    "concat": lambda hops, width, n, s: ConcatHead(hops, width, n, hidden=s.hidden, dropout=s.dropout),
    "likeness": lambda hops, width, n, s: LikenessHead(
        hops, width, n, vector_width=s.vector_width, directed=n > 1, dropout=s.dropout
    ),
}


def build_front(shape: InputShape, settings: ModelSettings, *, tune: bool) -> nn.Module:
    """Make what turns inputs into vectors."""
    if isinstance(shape, SurroundedShape):
        known = shape.n_surroundings
        return Surrounded(shape.width, n_surroundings=known, units=settings.embed_width, tune=tune)
    if shape.width:
        return Scaled(shape.width)
    if shape.is_one_hot:
        return OneHot(shape.n_ids)
    if shape.n_letters:
        letters = {"n_letters": shape.n_letters, "units": shape.letter_width}
        if isinstance(shape, PieceShape):
            pieces = InPieces(shape.n_pieces, shape.piece_width, shape.piece_units)
            return Pieced(shape.n_ids, settings.embed_width, pieces=pieces, tune=tune, **letters)
        return Spelled(shape.n_ids, settings.embed_width, tune=tune, **letters)
    return Embed(shape.n_ids, settings.embed_width, tune=tune)


def build_pooler(width: int, settings: ModelSettings, shape: InputShape) -> nn.Module:
    """Make what turns states into rows; where there are links, a row for each node looks along them."""
    if settings.pooler == "each" and shape.n_links:
        return EachNear(width, n_links=shape.n_links, dropout=settings.dropout)
    return POOLERS[settings.pooler](width, settings)


def build_network(
    settings: ModelSettings,
    *,
    n_ids: int = 0,
    shape: InputShape | None = None,
    n_classes: int = 0,
    tune: bool = True,
    seed: int = 0,
) -> Network:
    """Make a fresh network; the same seed gives the same weights. One that ends in vectors has no classes.

    What comes in is tokens, `n_ids` of them, or has another `shape`.
    """
    if settings.encoder in ("transformer", "neighbours", "graph_attention") and settings.units % settings.n_heads:
        raise ConfigError([f"model.units is {settings.units}, which {settings.n_heads} heads cannot share evenly."])
    shape = shape or InputShape(n_ids=n_ids)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        front = build_front(shape, settings, tune=tune)
        width_in = int(front.width)  # type: ignore[arg-type]
        encoder = ENCODERS[settings.encoder](2 * width_in if settings.whole else width_in, settings, shape)
        if settings.whole:
            encoder = Whole(encoder)  # type: ignore[arg-type]
        if settings.count:
            encoder = Counted(encoder)  # type: ignore[arg-type]
        if settings.keep_words:
            encoder = Beside(encoder, width_in)  # type: ignore[arg-type]
        width = int(encoder.width)  # type: ignore[arg-type]
        pooler = build_pooler(width, settings, shape)
        row_width = int(getattr(pooler, "row_width", width))
        head = HEADS[settings.head](int(pooler.n_hops), row_width, n_classes, settings)  # type: ignore[arg-type]
    shares = {"dropout": settings.dropout, "input_dropout": settings.input_dropout}
    return Network(front, encoder, pooler, head, **shares)  # type: ignore[arg-type]
