"""A toy input: strands of DNA, one vector for each base. All that a new input needs is here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from heedful.config import Config
from heedful.data.features import Item, Parts
from heedful.data.input_spec import InputSpec
from heedful.errors import HeedfulError
from heedful.inputs.input import Input, Wording

BASES = "ACGT"


class DnaFeaturiser:
    """A one-hot vector for each base."""

    def __init__(self, *, max_tokens: int) -> None:
        self.max_tokens = max_tokens

    @property
    def shape(self) -> InputSpec:
        return InputSpec(width=len(BASES))

    def features(self, source: Any) -> Item:
        if not set(source) <= set(BASES):
            raise HeedfulError(f"{source!r:.60} is not a strand of DNA, expected the letters {BASES}")
        places = [BASES.index(base) for base in source[: self.max_tokens]]
        return Item({"vectors": np.eye(len(BASES), dtype=np.float32)[places]})

    def parts(self, source: Any) -> Parts:
        n = min(len(source), self.max_tokens)
        return Parts(source, [(i, i + 1) for i in range(n)], [1] * n)

    def is_cut(self, source: Any) -> bool:
        return len(source) > self.max_tokens

    @classmethod
    def learned(cls, sources: Sequence[Any], config: Config) -> Self:
        del sources
        return cls(max_tokens=config.text.max_tokens)

    @classmethod
    def from_json(cls, text: str) -> Self:
        return cls(**json.loads(text))

    def to_json(self) -> str:
        return json.dumps({"max_tokens": self.max_tokens})


INPUT = Input(
    name="dna",
    wording=Wording("strands", "base", "bases", "bases"),
    featuriser="tests.toys.dna:DnaFeaturiser",
    columns=("dna", "strand"),
    smallest="A",
)
