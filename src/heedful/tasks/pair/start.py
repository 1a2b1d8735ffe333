"""Pair models that start from an encoder."""

from __future__ import annotations

from heedful.config import Config
from heedful.errors import ConfigError

PAIR_HEADS = ("gated", "bilinear", "concat", "likeness")
OWN_SETTINGS = ("gate_units", "hidden")  # settings of these heads, which the encoder does not fix


def pair_settings(config: Config) -> dict[str, object]:
    """Return the settings of the head of a pair model that starts from an encoder: the config's, or likeness."""
    head = config.model.head if config.model.head in PAIR_HEADS else "likeness"
    if head != "likeness" and config.train.tune == "answer":
        raise ConfigError(
            [f"tune is answer, but head {head} learns only with its encoder. Set tune to all or head to likeness."]
        )
    return {"head": head, **{name: getattr(config.model, name) for name in OWN_SETTINGS}}
