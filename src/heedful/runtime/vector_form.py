"""The forms of vectors: truncated, normalized, as floats or as bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError

DTYPES = ("float32", "int8")


@dataclass(frozen=True)
class VectorForm:
    """The form in which a model returns vectors."""

    normalize: bool = False
    width: int | None = None  # the first numbers only
    dtype: str = "float32"

    def check(self, full_width: int) -> None:
        """Raise if a model with vectors of this width cannot return this form."""
        if self.width is not None and not 1 <= self.width <= full_width:
            raise HeedfulError(f"width is {self.width}, expected 1 to {full_width}")
        if self.dtype not in DTYPES:
            raise HeedfulError(f"dtype is {self.dtype!r}, expected one of {', '.join(DTYPES)}")

    def shaped(self, vectors: NDArray[np.float32]) -> NDArray[Any]:
        """Return vectors (text, width) in this form."""
        if self.width is not None:
            vectors = np.ascontiguousarray(vectors[:, : self.width])
        if self.dtype == "int8":
            return np.rint(vectors * (127.0 / _at_least(np.abs(vectors).max(axis=1, initial=0.0)))).astype(np.int8)
        return unit(vectors) if self.normalize else vectors


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale each vector (text, width) to length 1; a zero vector stays."""
    return np.asarray(vectors / _at_least(np.linalg.norm(vectors, axis=1)), dtype=np.float32)


def cosines(first: Any, second: Any) -> Any:
    """Return the cosine of each vector of the first with each of the second; tensors give a tensor."""
    a, b = (unit(np.atleast_2d(np.asarray(side, dtype=np.float32))) for side in (first, second))
    similarity = a @ b.T
    return first.new_tensor(similarity) if hasattr(first, "new_tensor") else similarity


class NoCard:
    """Where sentence-transformers' evaluators leave their metrics; a model folder has a card of its own."""

    def set_evaluation_metrics(self, *_: Any, **__: Any) -> None:
        """Ignore the metrics."""


def _at_least(sizes: NDArray[Any]) -> NDArray[Any]:
    """Return sizes (text,) as a column to divide by: 1 where the size is 0."""
    return np.where(sizes > 0, sizes, 1.0)[:, None]
