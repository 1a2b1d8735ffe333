"""A matrix of anyone's words and weights: from each word to each other, for one head or many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.shown import Forms, Pictured
from heedful.show.heatmaps.checked_arrays import check_length, numbers, texts

MOST_PANELS = 36  # heads that are drawn
MOST_WORDS = 40  # on a side of one matrix
MOST_CELLS = 25_000  # in all
SHAPES = "2 (row, column), 3 (head, row, column) or 4 (layer, head, row, column)"


@dataclass(frozen=True)
class Matrix(Pictured):
    """Weights between words, to be looked at on a page, in a notebook, as a picture or as plain text."""

    FORMS = Forms(
        page="heedful.show.matrices.page:matrix_page",
        fragment="heedful.show.matrices.page:matrix_fragment",
        plain="heedful.show.matrices.terminal:plain_matrix",
        picture="heedful.show.matrices.picture:matrix_picture",
    )

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    weights: NDArray[np.float64]  # (panel, row, column)
    names: tuple[str, ...]  # of the panels; a single panel has an empty name
    title: str
    left_out: str  # what is not drawn
    account: str = ""  # how to read it, where that is known: the weights are of a model of heedful

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return {
            "title": self.title,
            "rows": list(self.rows),
            "columns": list(self.columns),
            "names": list(self.names),
            "weights": self.weights.tolist(),
            "left_out": self.left_out,
        }


def matrix(words: Sequence[str], weights: Any, *, columns: Sequence[str] | None = None, title: str = "") -> Matrix:
    """Return a matrix of weights (row, column), (head, row, column) or (layer, head, row, column).

    `words` are the rows, and the columns too unless those are given.
    """
    rows = texts(words, "words")
    across = rows if columns is None else texts(columns, "columns")
    array = numbers(weights, "weights")
    if not 2 <= array.ndim <= 4:
        raise HeedfulError(f"weights has {array.ndim} dimensions, a matrix takes {SHAPES}")
    check_length(array.shape[-2], "rows", rows)
    check_length(array.shape[-1], "columns", across, name="words" if columns is None else "columns")
    if not array.size:
        raise HeedfulError(f"weights is empty: its shape is {array.shape}")
    return _limited(rows, across, array.reshape(-1, *array.shape[-2:]), _names(array.shape[:-2]), title)


def _names(outer: tuple[int, ...]) -> list[str]:
    kinds = ("layer", "head")[2 - len(outer) :]
    places = product(*(range(1, n + 1) for n in outer))
    return [", ".join(f"{kind} {i}" for kind, i in zip(kinds, place, strict=True)) for place in places]


def _limited(rows: list[str], columns: list[str], panels: NDArray[np.float64], names: list[str], title: str) -> Matrix:
    """Keep what can be looked at: the first heads, and the words with the most weight in sum, in reading order."""
    kept = panels[:MOST_PANELS]
    most = min(MOST_WORDS, int((MOST_CELLS / len(kept)) ** 0.5))
    strength = np.abs(kept).sum(axis=0)
    down, across = _strongest(strength.sum(axis=1), most), _strongest(strength.sum(axis=0), most)
    left = [
        f"the first {len(kept)} of {len(panels)} heads" if len(kept) < len(panels) else "",
        f"{len(down)} of {len(rows)} rows" if len(down) < len(rows) else "",
        f"{len(across)} of {len(columns)} columns" if len(across) < len(columns) else "",
    ]
    words = f"Shown: {', '.join(filter(None, left))}, the words with the most weight in sum." if any(left[1:]) else ""
    return Matrix(
        rows=tuple(rows[i] for i in down),
        columns=tuple(columns[i] for i in across),
        weights=kept[:, down][:, :, across],
        names=tuple(names[: len(kept)]),
        title=title,
        left_out=words or (f"Shown: {left[0]}." if left[0] else ""),
    )


def _strongest(strength: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    return np.sort(np.argsort(-strength, kind="stable")[:most])
