"""The user's own vectors: checked, otherwise unchanged."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from heedful.config import Config
from heedful.data.features import Item, Parts, parts_of_names
from heedful.data.input_spec import MAX_TOKENS as HIGHEST
from heedful.data.input_spec import MAX_WIDTH, InputSpec, is_size
from heedful.errors import HeedfulError, ModelFolderError

MAX_TOKENS = 1_000


class VectorFeaturiser:
    """Checks vectors: their width, the maximum number per input, and their names."""

    kind = "vectors"

    def __init__(self, width: int, *, max_tokens: int = MAX_TOKENS, names: Sequence[str] = ()) -> None:
        self.width, self.max_tokens, self.names = width, max_tokens, tuple(names)

    @classmethod
    def learned(cls, sources: Sequence[Any], config: Config) -> VectorFeaturiser:
        """Return a featuriser with the width of the first vectors."""
        first = np.asarray(sources[0], dtype=np.float32)
        if first.ndim not in (1, 2) or not first.shape[-1]:
            raise HeedfulError(f"vectors have the shape {first.shape}, expected (time, width)")
        return cls(int(first.shape[-1]), max_tokens=config.text.max_tokens)

    @property
    def shape(self) -> InputSpec:
        """The network takes vectors."""
        return InputSpec(width=self.width)

    def features(self, source: Any) -> Item:
        """Return the vectors (time, width), truncated to `max_tokens`; a single vector has a time of 1."""
        try:
            with np.errstate(over="ignore"):
                vectors = np.asarray(source, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise HeedfulError(f"found {type(source).__name__}, expected vectors (time, width): {error}") from None
        vectors = vectors[None] if vectors.ndim == 1 else vectors
        if vectors.ndim != 2 or vectors.shape[1] != self.width:
            raise HeedfulError(f"vectors have the shape {vectors.shape}, expected (time, {self.width})")
        if not (good := np.isfinite(vectors).all(axis=1)).all():
            raise HeedfulError(f"vector {int(good.argmin()) + 1} has a number that is not finite")
        return Item({"vectors": vectors[: self.max_tokens]})

    def parts(self, source: Any) -> Parts:
        """Return the names of the vectors, or their numbers from 1."""
        n = len(self.features(source))
        return parts_of_names([self.names[i] if i < len(self.names) else str(i + 1) for i in range(n)])

    def is_cut(self, source: Any) -> bool:
        """Return whether there are more than `max_tokens` vectors."""
        return np.ndim(source) == 2 and len(source) > self.max_tokens

    def to_json(self) -> str:
        """Return the settings as JSON."""
        values = {"kind": self.kind, "width": self.width, "max_tokens": self.max_tokens, "names": self.names}
        return json.dumps(values, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> VectorFeaturiser:
        """Read the output of `to_json`."""
        try:
            values = json.loads(text)
            width, most, names = (values[key] for key in ("width", "max_tokens", "names"))
            if (
                values["kind"] == cls.kind
                and is_size(width, MAX_WIDTH)
                and is_size(most, HIGHEST)
                and isinstance(names, list)
                and all(isinstance(name, str) for name in names)
            ):
                return cls(width, max_tokens=most, names=names)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ModelFolderError(f"input.json is not readable: {error}") from None
        raise ModelFolderError("input.json is not readable: expected kind vectors, a width and names")
