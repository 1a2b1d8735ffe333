"""What is drawn of a matrix of weights, as plain values: numbers, shades and sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heedful.show.heatmaps.checked_arrays import AS_GIVEN
from heedful.show.kit.html.cells import ROOMY
from heedful.show.kit.svg.shades import as_given

if TYPE_CHECKING:
    from heedful.show.matrices.api import Matrix

TITLE = "Weights between words"
ANY_WEIGHTS = f"{AS_GIVEN} Each row is a word, each column a word that it gives weight to."
POINT = "A cell shows its number under the pointer; the tab key goes through the strongest."


@dataclass(frozen=True)
class MatrixView:
    """Everything to see of weights between words; panels are drawn on one scale."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    names: tuple[str, ...]  # of the panels; a single panel has an empty name
    weights: NDArray[np.float64]  # (panel, row, column)
    shades: NDArray[np.float32]  # (panel, row, column), from -1 to 1
    is_signed: bool
    is_tight: bool  # whether numbers have no room in their cells
    ends: tuple[str, str]  # of the scale of colours
    account: str  # how to read it


def view(matrix: Matrix) -> MatrixView:
    """Return what is to see of a matrix."""
    is_signed = bool((matrix.weights < 0).any())
    signs = " Blue is more than 0, orange is less." if is_signed else ""
    account = f"{matrix.account or ANY_WEIGHTS}{signs} {matrix.left_out}"
    return MatrixView(
        title=matrix.title,
        rows=matrix.rows,
        columns=matrix.columns,
        names=matrix.names,
        weights=matrix.weights,
        shades=as_given(matrix.weights),
        is_signed=is_signed,
        is_tight=len(matrix.columns) > ROOMY or len(matrix.names) > 1,
        ends=("below 0", "above 0") if is_signed else ("less", "more"),
        account=account.strip(),
    )
