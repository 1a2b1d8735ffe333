"""What is drawn of two texts: a view of each, with the answer once above both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from heedful.show.heatmaps.view import HeatmapView, Row, unknown_account
from heedful.show.heatmaps.view import view as view_of_text
from heedful.tasks.pair.explanation import PairExplanation
from heedful.tasks.pair.show.sum_view import SumView, side_of_sum, sum_view

ONE_SIDE = "how much less probable the label is without this word, the other text staying whole"
ONE_SIDE_NUMBER = "how much lower the number is without this word, the other text staying whole"
ACCOUNT = (
    "Attention shows where the model looked in each text. It has no sign and is not specific to a label. Effects have "
    "both: a blue word supports the named label, an orange and underlined word speaks against it."
)
NUMBER_ACCOUNT = (
    "Attention shows where the model looked in each text. It has no sign. Effects have one: without a blue word the "
    "number would be lower, without an orange and underlined one higher."
)
ATTENTION_ONLY = "Attention shows where the model looked in each text. It has no sign and is not specific to a label."
NOT_A_SUM = " The answer of this model is not a sum over words."


@dataclass(frozen=True)
class PairView:
    """Everything to see of a pair."""

    title: str
    value: str  # beside the title
    others: str  # the labels that come next
    sides: tuple[HeatmapView, HeatmapView]
    verdict: str
    is_doubtful: bool
    is_number: bool = False  # whether the answer is a number
    sum: SumView | None = None  # the score as a sum, if it is one

    @property
    def account(self) -> str:
        """How to read it."""
        if self.sum:
            return self.sum.account
        if not any(side.has_effects for side in self.sides):
            return ATTENTION_ONLY + NOT_A_SUM
        return (NUMBER_ACCOUNT if self.is_number else ACCOUNT) + NOT_A_SUM


def view(explanation: PairExplanation) -> PairView:
    """Return what is to see of a pair: each side has the name of its text as title, and no verdict of its own."""
    whole = view_of_text(explanation.first)
    about = ONE_SIDE_NUMBER if explanation.is_number else ONE_SIDE
    sides = [_with_about(view_of_text(side), about) for side in explanation.sides]
    if (whole_sum := sum_view(explanation)) is not None:
        sides = [side_of_sum(side, explanation) for side in sides]
    both = [_on_one_scale(rows) for rows in zip(*(side.rows for side in sides), strict=True)]
    first, second = (
        replace(side, title=name, value="", others="", verdict="", rows=tuple(rows))
        for side, name, rows in zip(sides, explanation.names, zip(*both, strict=True), strict=True)
    )
    return PairView(
        title=whole.title,
        value=whole.value,
        others=whole.others,
        sides=(first, second),
        verdict=whole.verdict,
        is_doubtful=whole.is_doubtful,
        is_number=explanation.is_number,
        sum=whole_sum,
    )


def account(views: Sequence[PairView]) -> str:
    """Say how to read the pairs that stand on one page."""
    with_effects = (each.account for each in views if any(side.has_effects for side in each.sides))
    sentence = next(with_effects, views[0].account if views else "")
    return sentence + unknown_account(word for each in views for side in each.sides for word in side.words)


def _on_one_scale(rows: Sequence[Row]) -> Sequence[Row]:
    """Return effects whose colours can be compared between the two texts; weights sum to 1 in each, and stay."""
    sizes = np.abs(np.nan_to_num(np.concatenate([row.values for row in rows])))
    if not rows[0].is_signed or not sizes.max(initial=0.0):
        return rows
    at = int(sizes.argmax())
    darkest = sizes[at] / abs(float(np.concatenate([row.shades for row in rows])[at]))  # what a shade of 1 stands for
    return [replace(row, shades=np.asarray(np.nan_to_num(row.values) / darkest, dtype=np.float32)) for row in rows]


def _with_about(side: HeatmapView, about: str) -> HeatmapView:
    """Return a text whose rows of signed numbers have this description."""
    return replace(side, rows=tuple(replace(row, about=about) if row.is_signed else row for row in side.rows))
