"""A row of the table of classifiers: how it trains into a folder, and how it answers from there."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.installed import path_bytes
from benchmarks.languages import ALL, EIGHT
from benchmarks.rivals import Predict

SIZES = (EIGHT, "50", "200", "1000", ALL)
Fit = Callable[[list[str], list[str], int, Path], float]  # texts, labels, a seed and a folder; seconds of earlier runs
Load = Callable[[Path], Predict]


def no_preparation(_: list[str]) -> None:
    """Do nothing."""


def no_files() -> list[Path]:
    """Return no files."""
    return []


@dataclass(frozen=True)
class Row:
    """A way to classify texts.

    fit         trains and writes the model into a folder; returns seconds that an earlier run spent and that count
    load        returns the function that answers
    load_cached the same, with vectors of texts that an earlier run made, for accuracy only
    explains    whether the model says why, in a few words
    modules     imported before the clock starts
    prepare     makes and keeps what is counted by `fit` as seconds of earlier runs
    beside      files that the model needs besides its folder
    """

    name: str
    fit: Fit
    load: Load
    explains: str
    modules: tuple[str, ...] = ()
    has_seed: bool = True
    sizes: tuple[str, ...] = SIZES
    prepare: Callable[[list[str]], None] = no_preparation
    load_cached: Load | None = None
    beside: Callable[[], list[Path]] = no_files

    def warm_up(self) -> None:
        """Import what the row needs."""
        for module in self.modules:
            importlib.import_module(module)

    def predictor(self, folder: Path) -> Predict:
        """Return the quickest way to the same answers."""
        return (self.load_cached or self.load)(folder)

    def megabytes(self, folder: Path) -> float:
        """Return the size of the model on disk."""
        return sum(path_bytes(path) for path in (folder, *self.beside())) / 1e6
