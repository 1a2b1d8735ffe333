"""Which parts of a long text are worth looking at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from heedful.show.heatmaps.view import Row

AT_LEAST = 5  # words are shown, however faint
WORTH = 0.15  # of the strongest: what is fainter is not unfolded for its own sake


@dataclass(frozen=True)
class Stretch:
    """Words from `first` to before `end`."""

    first: int
    end: int
    is_shown: bool

    def __len__(self) -> int:
        return self.end - self.first


@dataclass(frozen=True)
class Fold:
    """How a text is folded: not at all up to `short` words, else around the `strongest` words."""

    short: int
    strongest: int
    around: int  # words shown on each side of a strong one
    least: int  # fewer words than this are not folded away


def stretches(rows: Sequence[Row], fold: Fold) -> list[Stretch]:
    """Return the whole text in order, as stretches around the words that are strongest in any row, and the rest."""
    strength = np.max([np.abs(row.shades) for row in rows], axis=0)
    if len(strength) <= fold.short:
        return [Stretch(0, len(strength), True)]
    return _runs(_kept(strength, fold), fold.least)


def _kept(strength: NDArray[np.float32], fold: Fold) -> NDArray[np.bool_]:
    kept = np.zeros(len(strength), dtype=bool)
    order = np.argsort(-strength, kind="stable")[: fold.strongest]
    for place, i in enumerate(order):
        if place >= AT_LEAST and strength[i] < WORTH:
            break
        kept[max(0, i - fold.around) : i + fold.around + 1] = True
    return kept


def _runs(kept: NDArray[np.bool_], least: int) -> list[Stretch]:
    edges = [0, *(np.flatnonzero(np.diff(kept)) + 1).tolist(), len(kept)]
    runs: list[Stretch] = []
    for first, end in pairwise(edges):
        is_shown = bool(kept[first]) or end - first < least
        if runs and runs[-1].is_shown == is_shown:
            first = runs.pop().first
        runs.append(Stretch(first, end, is_shown))
    return runs
