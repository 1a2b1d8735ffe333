"""What may be fitted to few labels: it depends on their number, the network and the settings."""

from __future__ import annotations

from typing import Protocol

from heedful.config import Config
from heedful.errors import ConfigError
from heedful.network.network import Network
from heedful.training.goal import InMemoryGoal
from heedful.training.start.choose_tuning import (
    ANSWER,
    CONTRAST,
    CONTRAST_HOPS,
    ENOUGH,
    FEWEST,
    FEWEST_EACH,
    FEWEST_TO_CONTRAST,
    HOPS,
    Ways,
)
from heedful.training.start.contrast import STEPS, contrast_steps

HEAD = "mapped"  # the head whose vector is tuned


class Tunable(Protocol):
    """A model to start from."""

    @property
    def name(self) -> str:
        """The name for config.toml."""

    @property
    def can_be_tuned(self) -> bool:
        """Whether training may change the network, or only fits a head to its vectors."""


def ways_for(
    config: Config, network: Network, goal: InMemoryGoal, start: Tunable, *, is_auto: bool
) -> tuple[Config, Ways]:
    """Return the config and the ways to choose among: none, if the config says what is fitted."""
    tune, n = config.train.tune, len(goal.train)
    can_contrast = start.can_be_tuned and config.model.head == HEAD and goal.truth is not None
    if tune in (CONTRAST, CONTRAST_HOPS):
        if not can_contrast:
            raise ConfigError(
                [f"train.tune is {tune!r}, which is for texts with one label each and an encoder to tune."]
            )
        return config, Ways((tune,), contrast_steps(network, goal.train) or STEPS)
    if not is_auto or tune != ANSWER or config.model.head != HEAD or not start.can_be_tuned:
        return config, Ways(())
    has_hops = n >= max(FEWEST, FEWEST_EACH * _n_labels(network))
    fewest = max(FEWEST_TO_CONTRAST, 2 * _n_labels(network))
    is_enough = can_contrast and fewest <= n < ENOUGH
    n_steps = contrast_steps(network, goal.train) if is_enough else 0
    note = f"no contrastive step: tuning {start.name} on these texts would take too long" if is_enough else ""
    if n_steps:
        names = (ANSWER, HOPS, CONTRAST, CONTRAST_HOPS) if has_hops else (ANSWER, CONTRAST)
        return config, Ways(names, n_steps)
    if has_hops and n >= ENOUGH:
        return config.changed(tune=HOPS), Ways((), note=note)
    return config, Ways((ANSWER, HOPS) if has_hops else (), note=note)


def _n_labels(network: Network) -> int:
    return int(network.head.answer.out_features)  # type: ignore[attr-defined]
