"""Settings that were given and have no effect."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from heedful.config import Config

# Settings of the epochs only. If the encoder stays frozen, the head is fitted in closed form, without epochs.
OF_THE_LOOP = (
    "optimiser", "lr", "schedule", "warmup", "batch_size", "epochs", "patience", "keep", "average", "clip", "l2",
    "word_dropout", "checkpoint_minutes", "dropout", "input_dropout", "attention_dropout", "penalty",
)  # fmt: skip


def no_effect_notes(asked: Config, used: Config, *, start: str | None) -> list[str]:
    """Return a line for settings that were given and have no effect when training starts from an encoder."""
    if start is None:
        return []
    notes = []
    chosen = _chosen(asked)
    if used.train.tune not in ("auto", "all") and (names := [name for name in OF_THE_LOOP if name in chosen]):
        notes.append(
            f"there are no epochs, since little more than the head is fitted: {', '.join(names)} {_have(names)} "
            "no effect; with train.tune = all the network is trained too"
        )
    if names := [name for name in _overruled(asked, used) if name in chosen and name not in OF_THE_LOOP]:
        notes.append(f"{start} brings its own network and tokens: {', '.join(names)} {_have(names)} no effect")
    return notes


def _chosen(asked: Config) -> frozenset[str]:
    """Return the settings that were chosen. A complete config.toml has them all: then, those that are not default."""
    every = {field.name for field in fields(asked.train)}
    if not every <= asked.given:
        return asked.given
    usual = Config()
    return frozenset(
        name
        for section in ("text", "model", "train")
        for name, value in vars(getattr(asked, section)).items()
        if value != getattr(getattr(usual, section), name)
    )


def _overruled(asked: Config, used: Config) -> Iterable[str]:
    for section in ("text", "model"):
        for name, value in vars(getattr(asked, section)).items():
            if value != getattr(getattr(used, section), name):
                yield name


def _have(names: list[str]) -> str:
    return "has" if len(names) == 1 else "have"
