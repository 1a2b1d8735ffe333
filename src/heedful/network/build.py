"""From settings to a network. Config stops here: layers take plain keywords."""

from __future__ import annotations

from typing import Any

import torch

from heedful.data.input_spec import InputSpec
from heedful.errors import ConfigError
from heedful.network.choice import Choice, chosen_parts
from heedful.network.network import Network
from heedful.network.wide.ngram_scores import Wide
from heedful.settings import ModelSettings


def build_network(
    settings: ModelSettings,
    *,
    n_ids: int = 0,
    shape: InputSpec | None = None,
    n_classes: int = 0,
    tune: bool = True,
    seed: int = 0,
) -> Network:
    """Make a fresh network; the same seed gives the same weights. One that ends in vectors has no classes.

    What comes in is tokens, `n_ids` of them, or has another `shape`.
    """
    shape = shape or InputSpec(n_ids=n_ids)
    parts = chosen_parts(settings, shape)
    check_heads(parts)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        front = parts.front.build({**parts.values, "tune": tune})
        encoder = build_encoder(parts, front.width)
        pooler = parts.pooler.build({**parts.values, "width": encoder.width})
        row_width = getattr(pooler, "row_width", encoder.width)
        sizes = {"n_hops": pooler.n_hops, "width": row_width, "n_classes": n_classes}
        head = parts.head.build({**parts.values, **sizes})
    n_ngrams = parts.values["n_ngrams"]
    return Network(
        front,
        encoder,
        pooler,
        head,
        dropout=settings.dropout,
        input_dropout=settings.input_dropout,
        wide=Wide(n_ngrams, n_classes) if n_ngrams else None,
        unpooled=(0, 0) if settings.pool_special else (shape.n_before, shape.n_after),
    )


def build_encoder(parts: Choice, width_in: int) -> Any:
    """Make the encoder of vectors of this width, with its wrappers around it."""
    factor = max((wrapper.input_factor for wrapper in parts.wrappers), default=1)
    encoder = parts.encoder.build({**parts.values, "width_in": factor * width_in})
    for wrapper in parts.wrappers:
        encoder = wrapper.build({**parts.values, "encoder": encoder, "width_in": width_in})
    return encoder


def check_heads(parts: Choice) -> None:
    """Raise if the units of an encoder are not divisible by its number of heads."""
    units, n_heads = parts.values["units"], parts.values["n_heads"]
    if "n_heads" in parts.encoder.settings and units % n_heads:
        raise ConfigError([f"model.units is {units}, which {n_heads} heads cannot share evenly."])
