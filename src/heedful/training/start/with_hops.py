"""Hops for an encoder that has none: structured attention that begins as the mean of the words' states."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heedful.training.start.from_encoder import EncoderStart

N_HOPS, ATTENTION_WIDTH = 4, 128
SPREAD = 0.05  # of the first scores: nearly equal weights, but hops that differ can learn to differ more


def with_hops(start: EncoderStart, *, seed: int = 0) -> EncoderStart:
    """Return the start with structured attention in place of its pooling; special tokens are not read.

    The vector is then the mean of the words' states, through the encoder's own map: near that of mean pooling.
    """
    if start.config.model.pooler == "structured":
        return start
    random = np.random.default_rng([seed, 0x40B5])
    map_of_row = start.weights["head.map.weight"]  # (vector, width)
    width = map_of_row.shape[1]
    weights = {
        **start.weights,
        "pooler.inner.weight": random.normal(size=(ATTENTION_WIDTH, width)) / np.sqrt(width),
        "pooler.hops.weight": SPREAD * random.normal(size=(N_HOPS, ATTENTION_WIDTH)) / np.sqrt(ATTENTION_WIDTH),
        "head.map.weight": np.tile(map_of_row / N_HOPS, (1, N_HOPS)),
    }
    config = start.config.changed(
        pooler="structured", n_hops=N_HOPS, attention_width=ATTENTION_WIDTH, pool_special=False
    )
    return replace(start, config=config, weights={name: value.astype(np.float32) for name, value in weights.items()})
