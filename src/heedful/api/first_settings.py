"""The settings that matter most, in the order in which help and editors list them."""

from __future__ import annotations

FIRST = (
    "text", "label", "valid_share", "sep", "encoding", "start", "tune", "encoder", "n_hops", "head", "max_tokens",
    "epochs", "lr", "class_weights", "figure", "seed", "threads",
)  # fmt: skip
