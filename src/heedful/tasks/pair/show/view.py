"""What is drawn of two texts: a sheet for each, the answer said once above both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from heedful.show.heatmaps.view import Row, Sheet, sheet
from heedful.tasks.pair.explanation import PairExplanation

ONE_SIDE = "how much less probable the label is without this word, the other text staying whole"
ONE_SIDE_NUMBER = "how much lower the number is without this word, the other text staying whole"
ACCOUNT = (
    "Attention is where the model looked in each text: it has no sign and belongs to no label. Effects have both: a "
    "blue word speaks for the label that is named, an orange and underlined one against it."
)
NUMBER_ACCOUNT = (
    "Attention is where the model looked in each text: it has no sign. Effects have one: without a blue word the "
    "number would be lower, without an orange and underlined one higher."
)
ATTENTION_ONLY = "Attention is where the model looked in each text: it has no sign and belongs to no label."


@dataclass(frozen=True)
class PairSheet:
    """All there is to see of a pair."""

    title: str
    figure: str  # beside the title
    others: str  # the labels that come next
    sides: tuple[Sheet, Sheet]
    verdict: str
    is_doubtful: bool
    is_number: bool = False  # whether the answer is a number

    @property
    def account(self) -> str:
        """How to read it."""
        if not any(side.has_effects for side in self.sides):
            return ATTENTION_ONLY
        return NUMBER_ACCOUNT if self.is_number else ACCOUNT


def pair_sheet(explanation: PairExplanation) -> PairSheet:
    """Return what is to see of a pair: each side has the name of its text as title, and no verdict of its own."""
    whole = sheet(explanation.first)
    about = ONE_SIDE_NUMBER if explanation.is_number else ONE_SIDE
    sides = [sheet(side) for side in explanation.sides]
    both = [_on_one_scale(rows) for rows in zip(*(side.rows for side in sides), strict=True)]
    first, second = (
        replace(side, title=name, figure="", others="", verdict="", rows=tuple(_told(row, about) for row in rows))
        for side, name, rows in zip(sides, explanation.names, zip(*both, strict=True), strict=True)
    )
    return PairSheet(
        title=whole.title,
        figure=whole.figure,
        others=whole.others,
        sides=(first, second),
        verdict=whole.verdict,
        is_doubtful=whole.is_doubtful,
        is_number=explanation.is_number,
    )


def _on_one_scale(rows: Sequence[Row]) -> Sequence[Row]:
    """Return effects whose colours can be compared between the two texts; weights sum to 1 in each, and stay."""
    sizes = np.abs(np.nan_to_num(np.concatenate([row.values for row in rows])))
    if not rows[0].is_signed or not sizes.max(initial=0.0):
        return rows
    at = int(sizes.argmax())
    darkest = sizes[at] / abs(float(np.concatenate([row.shades for row in rows])[at]))  # what a shade of 1 stands for
    return [replace(row, shades=np.asarray(np.nan_to_num(row.values) / darkest, dtype=np.float32)) for row in rows]


def _told(row: Row, about: str) -> Row:
    return replace(row, about=about) if row.is_signed else row
