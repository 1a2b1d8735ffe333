"""One complete config from the chosen settings, the task, the input, the start and the number of texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from heedful.config import Config, all_fields
from heedful.inputs import INPUTS
from heedful.network.encoders.parts import ENCODERS
from heedful.network.heads.parts import HEADS
from heedful.network.poolers.parts import POOLERS
from heedful.tasks import task_of
from heedful.tasks.task import WORDS_BESIDE_STATES
from heedful.training.check_fits import check_fits

LONG = 600  # characters of a text on average: about a hundred English words
BESIDE_LONG: Mapping[str, Any] = {"context_dropout": 0.0}  # it costs accuracy there (IMDB: 85.5 : 86.2)


class StartSettings(Protocol):
    """The settings of a model to start from."""

    def defaults(self, config: Config) -> Mapping[str, Any]:
        """Return defaults of a model that starts here. Chosen settings take precedence."""

    def settings_for(self, config: Config) -> Config:
        """Return the config with the settings that the start fixes."""

    def tuned(self, config: Config, n_texts: int) -> Config:
        """Choose which part of the network is trained."""


def resolve(
    config: Config, *, n_texts: int, start: StartSettings | None = None, mean_characters: float = 0.0
) -> Config:
    """Return the complete config of a training. Resolving it again changes nothing.

    Only here does it matter which settings were chosen: in the result, all of them are.
    """
    if start is None:
        defaults = defaults_of(config, is_long=mean_characters >= LONG)
        config = _with_defaults(sized(config.changed(start="none"), n_texts), defaults)
        check_fits(config)
    else:
        config = start.settings_for(_with_defaults(config, start.defaults(config)))
        config = start.tuned(sized(config, n_texts), n_texts)
    return replace(config, given=frozenset(field.name for _, field in all_fields()))


def defaults_of(config: Config, *, is_long: bool = False) -> dict[str, Any]:
    """Return the defaults of the task and the input where they differ from those of a text classifier."""
    kind, task = INPUTS[config.input], task_of(config)
    defaults = {**kind.defaults, **task.defaults, **task.by_input.get(config.input, {})}
    if not can_add_up(config):
        defaults = {name: value for name, value in defaults.items() if name not in WORDS_BESIDE_STATES}
    elif is_long:
        defaults |= {name: value for name, value in BESIDE_LONG.items() if name in defaults}
    if kind.has_neighbours and config.source.reach == "all":
        defaults |= {"encoder": "transformer", "places": False}
    return defaults


def can_add_up(config: Config) -> bool:
    """Return whether the scores are sums over the states of tokens, and an encoder gives these context."""
    model = config.model
    return (
        POOLERS[model.pooler].is_weighted_sum and HEADS[model.head].is_linear and not ENCODERS[model.encoder].is_lookup
    )


def _with_defaults(config: Config, defaults: Mapping[str, Any]) -> Config:
    return config.changed(**{name: value for name, value in defaults.items() if name not in config.given})


def sized(config: Config, n_texts: int) -> Config:
    """Choose the batch size and the number of epochs where they are 0: fewer texts, smaller batches, more epochs."""
    batch_size, epochs = (16, 20) if n_texts < 5_000 else (32, 10) if n_texts < 50_000 else (64, 5)
    settings = config.train
    return config.changed(batch_size=settings.batch_size or batch_size, epochs=settings.epochs or epochs)
