"""Options of a training run: how it runs, not what it learns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypedDict

from heedful.training.history import Watcher, nobody
from heedful.training.loop.process_group import ALONE, Group


def never() -> bool:
    """Return False: nobody asks to stop."""
    return False


@dataclass(frozen=True)
class RunOptions:
    """Options of a run. None of them changes the weights of a run that finishes."""

    resume: bool = False  # from the last checkpoint, if there is one
    overwrite: bool = False  # an existing model
    checkpoints: bool = True  # whether to write them
    watcher: Watcher = nobody
    should_stop: Callable[[], bool] = never
    group: Group = ALONE  # of processes; the first one writes


class RunKeywords(TypedDict, total=False):
    """The fields of RunOptions that `train_model` takes as keywords."""

    resume: bool
    overwrite: bool
    checkpoints: bool
    watcher: Watcher
    should_stop: Callable[[], bool]
