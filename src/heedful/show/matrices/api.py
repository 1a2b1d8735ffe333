"""A matrix of anyone's words and weights: from each word to each other, for one head or many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heedful.errors import HeedfulError
from heedful.explain.shown import Forms, Pictured
from heedful.show.heatmaps.checked_arrays import check_length, numbers, texts

MOST_PANELS = 36  # heads that are drawn
MOST_WORDS = 40  # on a side of one matrix
MOST_CELLS = 25_000  # in all
SHAPES = "2 (row, column), 3 (head, row, column) or 4 (layer, head, row, column)"


@dataclass(frozen=True, repr=False)
class Matrix(Pictured):
    """Weights between words, as a page, in a notebook, as a picture or as plain text.

    Attributes:
        rows: words of the rows.
        columns: words of the columns.
        weights: (panel, row, column).
        names: of the panels; a single panel has an empty name.
        title: of the picture.
        left_out: what is not drawn.
        account: how to read it, if the weights are from a model of heedful.

    Example:
        >>> from heedful.show import matrix
        >>> matrix(["a", "b"], [[0.9, 0.1], [0.5, 0.5]]).rows
        ('a', 'b')
    """

    FORMS = Forms(
        page="heedful.show.matrices.page:matrix_page",
        fragment="heedful.show.matrices.page:matrix_fragment",
        plain="heedful.show.matrices.terminal:plain_matrix",
        picture="heedful.show.matrices.picture:matrix_picture",
    )

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    weights: NDArray[np.float64]
    names: tuple[str, ...]
    title: str
    left_out: str
    account: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Returns:
            Title, rows, columns, names and weights.

        Example:
            >>> from heedful.show import matrix
            >>> matrix(["a", "b"], [[0.9, 0.1], [0.5, 0.5]]).to_dict()["rows"]
            ['a', 'b']
        """
        return {
            "title": self.title,
            "rows": list(self.rows),
            "columns": list(self.columns),
            "names": list(self.names),
            "weights": self.weights.tolist(),
            "left_out": self.left_out,
        }


def matrix(
    words: Sequence[str], weights: ArrayLike, *, columns: Sequence[str] | None = None, title: str = ""
) -> Matrix:
    """Draw weights between the words of any model.

    Args:
        words: the rows; also the columns, unless those are given.
        weights: (row, column), (head, row, column) or (layer, head, row, column).
        columns: words of the columns.
        title: of the picture.

    Returns:
        A matrix, which a notebook shows; `to_html`, `to_svg` and `to_png` give files.

    Raises:
        HeedfulError: if the weights do not fit the words.

    Example:
        >>> from heedful.show import matrix
        >>> matrix(["a", "b"], [[0.9, 0.1], [0.5, 0.5]]).to_svg().startswith("<svg")
        True
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
