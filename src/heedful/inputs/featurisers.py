"""The one table from kinds of input to what makes numbers of them; each is imported when it is needed."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol, Self

from heedful.config import Config
from heedful.data.featuriser import Featuriser

FILE = "input.json"  # in a model folder: what a featuriser that is not of plain texts must remember

HOMES = {
    "audio": ("heedful.inputs.audio.featuriser", "SoundFeaturiser"),
    "molecule": ("heedful.inputs.molecule.featuriser", "MoleculeFeaturiser"),
    "graph": ("heedful.inputs.graph.featuriser", "GraphFeaturiser"),
    "vectors": ("heedful.inputs.vectors.featuriser", "VectorFeaturiser"),
    "tag": ("heedful.tasks.tag.featuriser", "SpelledFeaturiser"),
    "translate": ("heedful.tasks.translate.read", "TwoLanguages"),
}


class Learned(Featuriser, Protocol):
    """A featuriser that is made from training inputs and kept as JSON."""

    @classmethod
    def learned(cls, sources: Sequence[Any], config: Config) -> Self:
        """Return one that fits these inputs."""

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote."""

    def to_json(self) -> str:
        """Return all that must be remembered."""


def kind_of(config: Config) -> str | None:
    """Return which line of the table a model needs; None for plain texts."""
    if config.input != "text":
        return config.input
    return config.task if config.task in HOMES else None


def featuriser_class(kind: str) -> type[Learned]:
    """Return the class for a kind of input."""
    module, name = HOMES[kind]
    found: type[Learned] = getattr(import_module(module), name)
    return found
