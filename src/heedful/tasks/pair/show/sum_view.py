"""What is drawn of a score that is a sum over two texts: the sum, its pairs of words, and how to read it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from heedful.show.heatmaps.view import HeatmapView, Row
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.truncate import shortened
from heedful.show.similarity.view import Pair, strongest_of
from heedful.tasks.pair.explanation import PairExplanation

PAIRS = 8  # in the list of those that add, and of those that take away
LONGEST = 40  # characters of a text's name
LEAST = 0.01  # of the strongest pair: less is not listed
ABOUT = "what each word adds to the score, with half of each of its pairs"
NUMBER_ABOUT = "what each word adds to the number, with half of each of its pairs"
HOPS = "What a hop adds is its part of the score: the score is also the bias plus all hops of both texts."
ACCOUNT = (
    "The score of a label is the bias plus the contributions of all words of both texts, exactly. A blue word adds to "
    "the score of the named label, an orange and underlined word takes away from it."
)
NUMBER_ACCOUNT = (
    "The number is the bias plus the contributions of all words of both texts, exactly. A blue word raises it, an "
    "orange and underlined word lowers it."
)


@dataclass(frozen=True)
class SumView:
    """A score as a sum."""

    total: str  # score +2.65 = bias −0.31 + premise +1.20 + hypothesis +1.76
    about_pairs: str
    names: tuple[str, str]  # of the texts
    adding: tuple[Pair, ...]  # pairs of words that add most, first the strongest
    taking: tuple[Pair, ...]
    account: str

    @property
    def lists(self) -> list[tuple[str, tuple[Pair, ...]]]:
        """The lists of pairs that are not empty, with their headings."""
        lists = (("Pairs of words that add most", self.adding), ("Pairs that take away most", self.taking))
        return [each for each in lists if each[1]]

    @property
    def largest(self) -> float:
        """The part of the strongest pair, without its sign."""
        return max((abs(pair.part) for pair in (*self.adding, *self.taking)), default=1.0)

    @property
    def has_repeated(self) -> bool:
        """Whether a pair occurs more than once."""
        return any(pair.times > 1 for pair in (*self.adding, *self.taking))


def sum_view(explanation: PairExplanation) -> SumView | None:
    """Return the score of the target as a sum; None if it is not one."""
    if explanation.bias is None or explanation.scores is None or explanation.own_contributions is None:
        return None
    column = explanation.labels.index(explanation.target)
    added = [float(side.contributions[:, column].sum()) for side in explanation.sides if side.contributions is not None]
    own = sum(float(values[:, column].sum()) for values in explanation.own_contributions)
    matrix = explanation.pair_contributions_to()
    words = (explanation.first.words, explanation.second.words)
    adding, taking = ([], []) if matrix is None else strongest_of(words, matrix, PAIRS)
    least = LEAST * max((abs(pair.part) for pair in (*adding, *taking)), default=0.0)
    names = (shortened(explanation.names[0], LONGEST), shortened(explanation.names[1], LONGEST))
    score, bias = (_signed(float(values[column])) for values in (explanation.scores, explanation.bias))
    by_text = " + ".join(f"{name} {_signed(value)}" for name, value in zip(names, added, strict=True))
    return SumView(
        total=f"{_score_name(explanation)} {score} = bias {bias} + {by_text}",
        about_pairs=(
            f"Pairs of words add {_signed(sum(added) - own)} in all, words by themselves {_signed(own)}. Half of each "
            "pair is in the contribution of either word."
        ),
        names=names,
        adding=tuple(pair for pair in adding if pair.part >= least),
        taking=tuple(pair for pair in taking if pair.part <= -least),
        account=NUMBER_ACCOUNT if explanation.is_number else ACCOUNT,
    )


def side_of_sum(side: HeatmapView, explanation: PairExplanation) -> HeatmapView:
    """Return the view of a text with sentences that are true of one text of two."""
    is_other = explanation.target != explanation.label
    about = NUMBER_ABOUT if explanation.is_number else ABOUT
    aside = f"The model's answer is a different label: {explanation.label}." if is_other else ""
    contributions: Row = replace(side.rows[0], about=about, aside=aside)
    return replace(side, rows=(contributions, *side.rows[1:]), account="", hops_account=HOPS)


def _score_name(explanation: PairExplanation) -> str:
    return shortened(explanation.target, LONGEST) if explanation.is_number else "score"


def _signed(value: float) -> str:
    return number(value, digits=2, plus=True)
