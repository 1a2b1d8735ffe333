"""What is drawn of an explanation, as plain values: a text, and rows of numbers over its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from heedful.explain.attention.explanation import GRADIENT, INTEGRATED, LEAVE_ONE_OUT, METHODS, Explanation, Word
from heedful.show.heatmaps.units import in_units, sum_account, unit_of
from heedful.show.heatmaps.waterfall import Waterfall, waterfall
from heedful.show.kit.svg.shades import relative, signed
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.truncate import shortened

ACCOUNT = (
    "Attention shows where the model looked. It has no sign and is not specific to a label. Effects have both: a blue "
    "word supports the named label, an orange and underlined word speaks against it."
)
UNKNOWN = " A dotted line marks a word that the model does not know."
NOTHING = 1e-6  # of a score
LOOKED = "where the model looked"
ATTENTION_ONLY = "Attention shows where the model looked. It has no sign and is not specific to a label."
# An effect that is less than this is not drawn as a strong one, though it may be the largest of its text.
NUMBER = {  # what the effects are where the answer is a number
    LEAVE_ONE_OUT: "how much lower the number is without this word",
    GRADIENT: "slope of the number along the word's vector",
    INTEGRATED: "the word's share of the number, counted from vectors of zeros",
}
LEAST = {LEAVE_ONE_OUT: 0.05}  # of a probability
LEAST_LOG_ODDS = 0.25  # of a score, too
LONGEST = 100  # characters of a label
SMALL = 0.01  # of a probability: nothing that one word does matters
SMALL_SCORE = 0.05


@dataclass(frozen=True)
class Row:
    """A number for each word, and how dark each is."""

    name: str
    about: str
    values: NDArray[np.float64]  # (word,)
    shades: NDArray[np.float32]  # (word,), from 0 to 1, or from -1 to 1 where `is_signed`
    is_signed: bool = False
    ends: tuple[str, str] = ("less", "more")  # of the scale of colours
    target: str = ""  # the label that the numbers are for
    aside: str = ""


@dataclass(frozen=True)
class HeatmapView:
    """All there is to see of one text."""

    title: str
    value: str  # beside the title
    others: str  # the labels that come next
    text: str
    words: tuple[Word, ...]
    read_to: int
    rows: tuple[Row, ...]  # side by side; the first has the contributions, if there are any, or else the weights
    hops: tuple[Row, ...]  # each on its own, where there are several
    verdict: str
    is_doubtful: bool
    remarks: tuple[str, ...] = ()  # what to know before looking
    notes: tuple[str, ...] = ()  # what was left out, and why
    account: str = ""  # how to read it, where that is not as for an explanation
    hops_account: str = ""  # how to read what is said of each hop
    total: str = ""  # the score as a sum
    waterfall: Waterfall | None = None  # the same sum, to be drawn
    image_about: str = ""  # what the picture of an input that is not a text shows

    @cached_property
    def digits(self) -> int:
        """After the point: in a long text every weight is small."""
        return 3 + (len(self.words) > 100) + (len(self.words) > 1000)

    def number(self, row: Row, i: int) -> str:
        """Return one number as it is shown."""
        return number(float(row.values[i]), digits=self.digits, plus=row.is_signed)

    @property
    def has_effects(self) -> bool:
        """Whether there is more to see than weights."""
        return any(row.is_signed for row in self.rows)


def view(explanation: Explanation) -> HeatmapView:
    """Return what is to see of an explanation."""
    weights = [_weights(f"hop {i + 1}", hop_adds(explanation, i), hop) for i, hop in enumerate(explanation.weights)]
    others = sorted(explanation.probabilities.items(), key=lambda pair: -pair[1])
    rest = [f"{label} {p:.2f}" for label, p in others if label != explanation.label][:3]
    return HeatmapView(
        title=explanation.label,
        value=f"{explanation.probabilities[explanation.label]:.2f}",
        others=", ".join(rest),
        text=explanation.text,
        words=explanation.words,
        read_to=explanation.read_to,
        rows=(
            *contribution_rows(explanation),
            _weights(_attention(explanation), _attention_account(explanation), explanation.overall),
            *_effects(explanation),
        ),
        hops=tuple(weights) if len(weights) > 1 else (),
        verdict=explanation.verdict.words,
        is_doubtful=explanation.verdict.is_warning,
        remarks=(explanation.warning,) if explanation.warning else (),
        notes=explanation.notes,
        account=_sum_account(explanation),
        hops_account=_hops_account(explanation),
        total=total(explanation),
        waterfall=waterfall(explanation),
        image_about=f"the heatmap drawn over the {explanation.kind}",
    )


def account(views: Sequence[HeatmapView]) -> str:
    """Say how to read the heatmaps that stand on one page."""
    sentence = ACCOUNT if any(each.has_effects for each in views) else ATTENTION_ONLY
    if views and views[0].account:
        sentence = views[0].account
    return sentence + unknown_account(word for each in views for word in each.words)


def unknown_account(words: Iterable[Word]) -> str:
    """Say how words that the model does not know are marked, if there are any."""
    return "" if all(word.is_known for word in words) else UNKNOWN


def hop_adds(explanation: Explanation, hop: int) -> str:
    """Return what a hop, counted from 0, adds to the answer: `adds +0.12`; nothing where that is not known."""
    effects = explanation.hop_contributions_to()
    effects = explanation.hop_effects if effects is None else effects
    return "" if effects is None else f"adds {number(float(effects[hop]), digits=2, plus=True)}"


def contribution_rows(explanation: Explanation, label: str | None = None) -> list[Row]:
    """Return what each word adds to the score of a label: one row, or none if the head is not linear."""
    label = label or explanation.target
    values = explanation.contributions_to(label)
    if values is None:
        return []
    unit = unit_of(explanation.kind)
    asides = [f"The model's answer is a different label: {explanation.label}."] if label != explanation.label else []
    if len(values) and not explanation.is_number and np.abs(values).max() < SMALL_SCORE:
        asides.append(f"No {unit.one} adds or takes away {SMALL_SCORE} or more: the bias decides.")
    row = Row(
        "Contributions",
        f"what each {unit.one} adds to the {'number' if explanation.is_number else 'score'}",
        values,
        signed(values, least=1e-9 if explanation.is_number else LEAST_LOG_ODDS),
        is_signed=True,
        ends=("lower", "higher") if explanation.is_number else ("against", "for"),
        target=label,
        aside=" ".join(asides),
    )
    return [row]


def total(explanation: Explanation, label: str | None = None) -> str:
    """Return the score of a label as a sum, `score +2.65 = bias −0.31 + words +2.96`; "" if it is not one."""
    label = label or explanation.target
    words = explanation.contributions_to(label)
    if words is None or explanation.bias is None or explanation.scores is None:
        return ""
    column = explanation.labels.index(label)
    parts = (explanation.bias[column], words.sum(), explanation.scores[column])
    bias, added, score = (number(float(part), digits=2, plus=True) for part in parts)
    name = label if explanation.is_number else "score"
    return f"{shortened(name, LONGEST)} {score} = bias {bias} + {unit_of(explanation.kind).many} {added}"


def _sum_account(explanation: Explanation) -> str:
    if explanation.contributions is None:
        return ""
    return sum_account(unit_of(explanation.kind), is_number=explanation.is_number)


def _hops_account(explanation: Explanation) -> str:
    if explanation.hop_contributions is not None and explanation.ngram_contributions is not None:
        added = explanation.ngram_contributions[explanation.column(explanation.target)]
        ngrams = f"the n-grams, which add {number(float(added), digits=2, plus=True)}"
        if _is_from_ngrams(explanation):
            return f"The hops add nothing: the score is the bias plus {ngrams}."
        return f"What a hop adds is its part of the score: the score is also the bias plus all hops plus {ngrams}."
    if explanation.hop_contributions is not None:
        return "What a hop adds is its part of the score: the score is also the bias plus all hops."
    if explanation.hop_effects is None:
        return ""
    less = "lower the number" if explanation.is_number else f"less probable {shortened(explanation.target, LONGEST)}"
    return f"What a hop adds is how much {less} is without what this hop read."


def _is_from_ngrams(explanation: Explanation) -> bool:
    """Return whether the hops add nothing, so that n-grams alone give the answer."""
    hops, ngrams = explanation.hop_contributions, explanation.ngram_contributions
    return hops is not None and ngrams is not None and bool(np.abs(hops).max(initial=0.0) < NOTHING)


def _attention_account(explanation: Explanation) -> str:
    return "no part of this answer, which comes from n-grams" if _is_from_ngrams(explanation) else LOOKED


def _attention(explanation: Explanation) -> str:
    return "Attention" if explanation.hop is None else f"Attention, hop {explanation.hop}"


def _weights(name: str, about: str, weights: NDArray[np.float32]) -> Row:
    return Row(name, about, weights.astype(np.float64), relative(weights))


def _effects(explanation: Explanation) -> list[Row]:
    known = [method for method in METHODS if method in explanation.effects]
    return [effect_row(explanation, method) for method in dict.fromkeys([*known, *explanation.effects])]


def effect_row(explanation: Explanation, method: str) -> Row:
    """Return what each word does to the label asked about, by one method."""
    values = np.asarray(explanation.effects[method], dtype=np.float64)
    least = LEAST.get(method, LEAST_LOG_ODDS) if not explanation.is_number else 1e-9  # a number has a unit of its own
    shades = signed(np.nan_to_num(values), least=least)
    unit = unit_of(explanation.kind)
    asides = []
    if explanation.target != explanation.label:
        asides.append(f"The model's answer is a different label: {explanation.label}.")
    small = method == LEAVE_ONE_OUT and not explanation.is_number
    if small and len(values) and np.abs(np.nan_to_num(values)).max() < SMALL:
        asides.append(f"No {unit.one} alone changes the probability by {SMALL} or more.")
    name, about = _named(method)
    return Row(
        name,
        in_units(NUMBER.get(method, about) if explanation.is_number else about, unit),
        values,
        shades,
        is_signed=True,
        ends=("lower", "higher") if explanation.is_number else ("against", "for"),
        target=explanation.target,
        aside=" ".join(asides),
    )


def _named(method: str) -> tuple[str, str]:
    """Return a method's name in full, and what its numbers are."""
    head, colon, tail = METHODS.get(method, "").partition(": ")
    name, about = (head, tail) if colon else (method, head)
    return name[:1].upper() + name[1:], about
