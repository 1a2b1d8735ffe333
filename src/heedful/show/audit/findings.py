"""The words of each check of an audit: what it asked, what came out, how to read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite

from heedful.explain.audit import checks as rules
from heedful.explain.audit.audit import ATTENTION, CONTRIBUTIONS, RANDOM, Audit
from heedful.explain.audit.checks import CheckName, Speaks
from heedful.metrics.bootstrap import Interval
from heedful.show.audit.wording import method_name
from heedful.show.kit.text.numbers import short
from heedful.show.kit.text.sanitise import one_line


@dataclass(frozen=True)
class Words:
    """The words of one check."""

    name: str
    question: str
    finding: str
    reading: str  # how to read the plots


TOP_WORDS = {ATTENTION: "that attention weighs most", CONTRIBUTIONS: "with the largest contributions"}


def words_of(audit: Audit, check: rules.Check) -> Words:
    """Return the words of one check that was made."""
    return WORDS[check.name](audit, check.speaks)


def _direction(fall: float) -> str:
    """Return what an answer becomes, or nothing for a fall too small to be seen."""
    return "" if not isfinite(fall) or not round(fall, 2) else "less" if fall > 0 else "more"


def _fall(fall: float) -> str:
    way = _direction(fall)
    if not isfinite(fall):
        return "could not be measured"
    return f"becomes {short(abs(fall))} {way} probable" if way else "stays as probable"


def _falls(how: str, attention: float, how_else: str, random: float) -> str:
    is_same = _direction(attention) and _direction(attention) == _direction(random)
    other = short(abs(random)) if is_same else f"it {_fall(random)}"
    return f"{how}, the answer {_fall(attention)}; {how_else} {other}."


def _needed(audit: Audit, _: Speaks) -> Words:
    marked, random = (audit.methods[name].comprehensiveness.mean for name in (audit.subject, RANDOM))
    top = TOP_WORDS[audit.subject]
    return Words(
        "Are the words needed?",
        f"Are the words {top} needed for the answer? They are removed, and the model answers again.",
        _falls(f"Without the words {top}", marked, "without random words", random),
        "Longer bars and higher lines are better: the answer depends more on the words that a method puts first. "
        "Bars are the mean over all shares of words taken out, thin lines their 95 % intervals. "
        "A bar that is not clearly longer than that of random words is no better than a guess.",
    )


def _enough(audit: Audit, _: Speaks) -> Words:
    marked, random = (audit.methods[name].sufficiency.mean for name in (audit.subject, RANDOM))
    top = TOP_WORDS[audit.subject]
    return Words(
        "Are the words enough?",
        f"Are the words {top} enough for the answer? All others are removed.",
        _falls(f"With the words {top} alone", marked, "with random words alone", random),
        "Shorter bars and lower lines are better: little is lost when only a method's first words are kept. "
        "Below 0 the answer is even more probable without the rest.",
    )


def _reach(audit: Audit, _: Speaks) -> Words:
    share = rules.share_found(audit)
    name = "contributions" if audit.subject == CONTRIBUTIONS else "attention"
    do, find = ("do", "find") if audit.subject == CONTRIBUTIONS else ("does", "finds")
    other = rules.share_found(audit, ATTENTION) if audit.subject != ATTENTION and ATTENTION in audit.methods else None
    beside = "" if other is None else f" Attention finds {100 * other:.0f} %."
    return Words(
        f"How much of it {do} {name} find?",
        f"Leave-one-out removes each word in turn and is the yardstick: how much of what it finds {do} {name} find?",
        "Leave-one-out finds hardly anything either: the answer depends on no single word."
        if share is None
        else f"Of what leave-one-out finds beyond chance, {name} {find} {100 * share:.0f} %.{beside}",
        f"100 % is as good as asking the model about every word. Below {100 * rules.LEAST:.0f} % most of what "
        f"the answer depends on is not what {name} {'show' if do == 'do' else 'shows'}; leave-one-out should then be "
        "shown beside it, or instead.",
    )


def _chance(audit: Audit, _: Speaks) -> Words:
    marked = audit.methods[audit.subject]
    return Words(
        "Is that more than chance?",
        "Is the difference from random words larger than chance in the choice of texts would explain?",
        f"Beyond random words, the words {TOP_WORDS[audit.subject]} are needed by "
        f"{against_chance(marked.needed_beyond_chance)}, and enough by {against_chance(marked.enough_beyond_chance)}.",
        "The mark is the mean difference from random words, the line its 95 % interval. "
        "Wholly right of 0 is better than chance; a line that touches 0 cannot be distinguished from chance. "
        "Leave-one-out is itself made by taking words out, so this test favours it.",
    )


def against_chance(value: Interval) -> str:
    """Say whether a difference from random words is more than chance."""
    speaks = rules.against_chance(value)
    words = {"for": "is better than chance", "against": "is worse than chance"}.get(
        speaks, "cannot be distinguished from chance"
    )
    if speaks == "open" and value.low > 0:
        words = "is better than chance, but hardly"
    ends = [value.low, value.high]
    digits = 2 if all(round(end, 2) or not end for end in ends) else 3  # an end near 0 must show its side
    low, high = (short(end, digits=digits) for end in ends)
    return f"{short(value.mean)} (95 %: {low} to {high}), which {words}"


def _permutation(audit: Audit, _: Speaks) -> Words:
    assert audit.permutation
    moved = rules.shuffling(audit.permutation)
    how_much = {"for": "depends", "against": "hardly depends"}.get(moved, "depends a little")
    return Words(
        "Does it matter where attention looks?",
        "Does the answer change when the weights are shuffled among the words?",
        f"Shuffled weights move {short(audit.permutation.mean)} of the probability to other labels: "
        f"the answer {how_much} on where attention looks.",
        "0: shuffling changes nothing, so a heatmap cannot tell why. 1: all probability moves to other labels. "
        f"Below {rules.HARDLY} is hardly anything.",
    )


def _agreement(audit: Audit, _: Speaks) -> Words:
    with_shown = {pair: tau for pair, tau in audit.agreement.items() if audit.subject in pair.split(", ")}
    each = [
        f"{_other(pair, audit.subject)} {short(tau.mean)}" for pair, tau in with_shown.items() if isfinite(tau.mean)
    ]
    return Words(
        "Do the methods agree?",
        "Do different ways of asking which words matter put the words in the same order?",
        f"Agreement of {audit.subject} with {_listed(each)}."
        if each
        else f"{audit.subject.capitalize()} cannot be compared with another method.",
        "Kendall τ: 1 is the same order, 0 no relation, −1 the opposite order. Agreement is not correctness: "
        "two methods can be wrong together, and a method that disagrees can be right.",
    )


def _other(pair: str, shown: str) -> str:
    return method_name(next((method for method in pair.split(", ") if method != shown), pair))


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _hops(audit: Audit, _: Speaks) -> Words:
    overlap, n = audit.hops.mean_overlap, len(audit.hops.entropy)
    first = "There is one hop" if overlap is None else f"The {n} hops overlap by {short(overlap)} on average"
    even = "every word weighs nearly the same, so a heatmap has nothing to show"
    reading = "Entropy: 1 is even over all words, 0 is all weight on one word."
    if overlap is not None:
        reading += (
            " Overlap: 1 (strong colour) is two hops that look at the same words alike, 0 (faint) two that share none. "
            "Hops that overlap much add little to each other."
        )
    return Words(
        "What do the hops look at?",
        "Does each hop single out words, and do different hops single out different ones?",
        f"{first}; {even if rules.is_even(audit) else _sharpest(audit)}.",
        reading,
    )


def _sharpest(audit: Audit) -> str:
    entropy = audit.hops.entropy
    lowest = min(entropy)
    alone = f"its entropy is {short(lowest)}"
    return f"the sharpest is hop {entropy.index(lowest) + 1}: {alone}" if len(entropy) > 1 else alone


def _uniform(audit: Audit, _: Speaks) -> Words:
    result = audit.deep["uniform"]
    helps = "helps" if rules.is_useful(result) else "helps little"
    return Words(
        "Does learned attention help?",
        "Does the model answer worse if it is trained again with equal weights for all words?",
        f"The {one_line(str(result['figure']))} with learned weights is {short(result['learned'])}, with equal ones "
        f"{short(result['uniform'])}: learned attention {helps} here.",
        f"If equal weights do as well (within {rules.LITTLE}), the model does not need its attention for this task, "
        "and where it looks says little about its answers.",
    )


def _seeds(audit: Audit, _: Speaks) -> Words:
    result = audit.deep["seeds"]
    tau = Interval(**result["agreement"])
    return Words(
        "Is the heatmap stable?",
        "Do models that differ only in the seed of their training weigh the same words?",
        f"Heatmaps of {result['n']} models trained with other seeds agree with this one to {short(tau.mean)}.",
        f"Kendall τ: 1 is the same order of words, 0 no relation. Above {rules.STEADY} is steady; "
        f"below {rules.UNSTEADY} a heatmap says more about the random seed than about the text.",
    )


def _adversarial(audit: Audit, _: Speaks) -> Words:
    result = audit.deep["adversarial"]
    distance = Interval(**result["distance"])
    return Words(
        "Would other weights do as well?",
        "Can weights that look elsewhere be found that give the same answer?",
        f"For {result['found'] * 100:.0f} % of the texts, weights that look elsewhere give nearly the same answer "
        f"(mean distance {short(distance.mean)}, change of the answer {short(result['output_change'], digits=3)}).",
        f"Jensen–Shannon distance: 0 is the same weights, {rules.FARTHEST} weights that share no word. "
        "If very different weights give the same answer, a heatmap is one story among several.",
    )


WORDS: Mapping[CheckName, Callable[[Audit, Speaks], Words]] = {
    "needed": _needed,
    "enough": _enough,
    "chance": _chance,
    "reach": _reach,
    "permutation": _permutation,
    "agreement": _agreement,
    "hops": _hops,
    "uniform": _uniform,
    "seeds": _seeds,
    "adversarial": _adversarial,
}
