"""The descriptor of a kind of input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Wording:
    """Names for an input and its parts in messages."""

    inputs: str  # plural of the input
    part: str  # one cell of a heatmap
    parts: str
    units: str  # one time step of the network

    def rename(self, sentence: str) -> str:
        """Return a sentence about texts and words as one about this input. For our own sentences only."""
        names = {"words": self.parts, "word": self.part, "texts": self.inputs, "tokens": self.units}
        for of_texts, own in names.items():
            sentence = sentence.replace(of_texts, own)
        return sentence

    def rename_end(self, sentence: str) -> str:
        """Return a line of metrics with this input counted at its end; labels in it stay as they are."""
        start, gap, end = sentence.rpartition("   ")
        return f"{start}{gap}{self.rename(end)}"


@dataclass(frozen=True)
class Input:
    """A kind of input: plain values, and `"module:name"` strings that are imported when they are needed."""

    name: str  # in config.toml
    wording: Wording
    featuriser: str | None = None  # class of the featuriser; None for texts, whose tasks choose one
    picture: str | None = None  # function from an Explanation to SVG; None: a heatmap of words
    files: str | None = None  # module with `read_task_file` and `read_sources`, if a file is not a table of inputs
    columns: tuple[str, ...] = ()  # names of its column in a table
    endings: tuple[str, ...] = ()  # of files that are one input each
    smallest: str | None = None  # an input as a cell or a request holds it; None if inputs come from files
    is_path: bool = False  # whether a cell holds the path of a file
    is_scaled: bool = False  # whether the columns of its vectors are scaled to mean 0 and spread 1
    has_neighbours: bool = False  # whether graph encoders can read it
    defaults: Mapping[str, Any] = field(default_factory=dict)  # settings that differ from those for texts
    extra: str | None = None  # of pyproject.toml: the packages that it needs

    @property
    def is_text(self) -> bool:
        """Whether it is text, which has a vocabulary and encoders to start from."""
        return self.featuriser is None
