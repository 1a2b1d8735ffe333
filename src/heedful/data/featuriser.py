"""The protocol of featurisers, which turn inputs into arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Self

from heedful.config import Config
from heedful.data.features import Ids, Item, Parts
from heedful.data.input_spec import InputSpec
from heedful.inputs import INPUTS
from heedful.lazy import imported
from heedful.tasks import task_of

FILE = "input.json"  # in a model folder: what a featuriser that is not of plain texts must remember


class Featuriser(Protocol):
    """Turns inputs of one kind into arrays, and names their parts for display."""

    max_tokens: int

    @property
    def shape(self) -> InputSpec:
        """The shape of the network's input."""

    def features(self, source: Any) -> Ids | Item:
        """Return the arrays of an input, truncated to `max_tokens`."""

    def parts(self, source: Any) -> Parts:
        """Return the input as text, with the span of each part."""

    def is_cut(self, source: Any) -> bool:
        """Return whether the input is longer than `max_tokens`."""


class Learned(Featuriser, Protocol):
    """A featuriser that is made from training inputs and kept as JSON."""

    @classmethod
    def learned(cls, sources: Sequence[Any], config: Config) -> Self:
        """Return one that fits these inputs."""

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read the output of `to_json`."""

    def to_json(self) -> str:
        """Return all that must be remembered."""


def featuriser_class(config: Config) -> type[Learned] | None:
    """Return the class for an input, or for the texts of a task; None for plain texts."""
    kind = INPUTS[config.input]
    name = task_of(config).featuriser if kind.is_text else kind.featuriser
    return imported(name) if name else None
