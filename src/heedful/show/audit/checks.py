"""What each check of an audit asked and found, in sentences: the same in a terminal and on a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from heedful.explain.attention.explanation import LEAVE_ONE_OUT
from heedful.explain.audit.audit import ATTENTION, RANDOM, Audit
from heedful.explain.audit.verdict_rules import LITTLE_MOVED, SLIGHT
from heedful.metrics.bootstrap import Interval
from heedful.show.audit.plots import FARTHEST
from heedful.show.audit.wording import ADVICE, Speaks, method_name
from heedful.show.kit.text.numbers import short
from heedful.show.kit.text.sanitise import one_line

DEEP = ("uniform", "seeds", "adversarial")
HARDLY = LITTLE_MOVED  # by shuffling, as the verdict has it
LEAST, MOST = 0.2, 0.5  # share of what leave-one-out finds
LITTLE = 0.01  # that learned weights are better than equal ones: no more is of little use
STEADY, UNSTEADY = 0.5, 0.3  # Kendall τ between seeds
MANY, FEW = 0.5, 0.1  # share of texts for which other weights give the same answer
EVEN = 0.99  # entropy of weights that single nothing out


@dataclass(frozen=True)
class Check:
    """One thing that was tested: the same words in a terminal and on a page."""

    key: str
    name: str
    asks: str
    found: str
    speaks: Speaks
    reading: str


def checks(audit: Audit) -> list[Check]:
    """Return what was tested, in the order to be read."""
    found = [_needed(audit), _enough(audit), _chance(audit)] if {ATTENTION, RANDOM} <= set(audit.methods) else []
    found += [_reach(audit)] if found and LEAVE_ONE_OUT in audit.methods else []
    found += [_permutation(audit.permutation)] if audit.permutation else []
    found += [_agreement(audit)] if audit.agreement else []
    found += [_hops(audit)] if audit.hops.entropy else []
    made = {"uniform": _uniform, "seeds": _seeds, "adversarial": _adversarial}
    return found + [made[key](audit.deep[key]) for key in DEEP if audit.deep.get(key)]


def advice(audit: Audit) -> list[str]:
    """Return what to do about the verdict."""
    against = [check.name for check in checks(audit) if check.speaks == "against"]
    said = [ADVICE[audit.verdict.level]]
    if against and not audit.verdict.is_warning:
        said.append(f"Read first what speaks against them: {' '.join(against)}")
    if better := _better_method(audit):
        ours, theirs = (short(audit.methods[name].comprehensiveness.mean) for name in (ATTENTION, better))
        instead = "Show that instead." if audit.verdict.is_warning else "Show that beside them."
        said.append(
            f"On these texts {method_name(better)} finds the words that the answer depends on better than attention "
            f"(comprehensiveness {theirs} against {ours}). {instead}"
        )
    return said


def left_out(audit: Audit) -> list[tuple[str, str]]:
    """Return each check that was not made, and why."""
    why = [(method_name(check), one_line(reason)) for check, reason in audit.left_out.items()]
    if not audit.deep and not set(DEEP) & set(audit.left_out):
        why.append(("deep checks", "not made: equal weights, other seeds, adversarial weights"))
    return why


def _better_method(audit: Audit) -> str | None:
    """Return the method that is furthest beyond chance, if it surely is, and surely further than attention."""
    beyond = {name: f.needed_beyond_chance for name, f in audit.methods.items() if name != RANDOM}
    if ATTENTION not in beyond:
        return None
    ours = beyond[ATTENTION]
    sure = [name for name, one in beyond.items() if one.low > max(0.0, ours.high) and one.mean - ours.mean >= SLIGHT]
    return max(sure, key=lambda name: beyond[name].mean, default=None)


def _beyond(value: Interval) -> Speaks:
    """Judge a difference from chance; one too small to matter decides nothing, however sure it is."""
    if abs(value.mean) < SLIGHT:
        return "open"
    return "for" if value.low > 0 else "against" if value.high < 0 else "open"


def _direction(fall: float) -> str:
    """Return what an answer becomes, or nothing for a fall too small to be seen."""
    return "" if not isfinite(fall) or not round(fall, 2) else "less" if fall > 0 else "more"


def _fall(fall: float) -> str:
    way = _direction(fall)
    if not isfinite(fall):
        return "could not be measured"
    return f"becomes {short(abs(fall))} {way} probable" if way else "stays as probable"


def _falls(how: str, ours: float, how_else: str, random: float) -> str:
    same = _direction(ours) and _direction(ours) == _direction(random)
    return f"{how}, the answer {_fall(ours)}; {how_else} {short(abs(random)) if same else f'it {_fall(random)}'}."


def _needed(audit: Audit) -> Check:
    ours, random = audit.methods[ATTENTION], audit.methods[RANDOM]
    return Check(
        "needed",
        "Are the words needed?",
        "Are the words that attention weighs most needed for the answer? "
        "They are taken out, and the model answers again.",
        _falls(
            "Without the words attention weighs most",
            ours.comprehensiveness.mean,
            "without random words",
            random.comprehensiveness.mean,
        ),
        _beyond(ours.needed_beyond_chance),
        "Longer bars and higher lines are better: the answer depends more on the words that a method puts first. "
        "Bars are the mean over all shares of words taken out, thin lines their 95 % intervals. "
        "What is not clearly longer than random words is no better than a blind guess.",
    )


def _enough(audit: Audit) -> Check:
    ours, random = audit.methods[ATTENTION], audit.methods[RANDOM]
    return Check(
        "enough",
        "Are the words enough?",
        "Are the words that attention weighs most enough for the answer? All others are taken out.",
        _falls(
            "With the words attention weighs most alone",
            ours.sufficiency.mean,
            "with random words alone",
            random.sufficiency.mean,
        ),
        _beyond(ours.enough_beyond_chance),
        "Shorter bars and lower lines are better: little is lost when only a method's first words are kept. "
        "Below 0 the answer is even more probable without the rest.",
    )


def _reach(audit: Audit) -> Check:
    """How much of what leave-one-out finds, beyond chance, does attention find?"""
    ours, best = (audit.methods[name].needed_beyond_chance.mean for name in (ATTENTION, LEAVE_ONE_OUT))
    share = max(0.0, ours / best) if best >= SLIGHT else None
    speaks: Speaks = "open" if share is None else "for" if share >= MOST else "against" if share < LEAST else "open"
    found = (
        "Leave-one-out finds hardly anything either: the answer depends on no single word."
        if share is None
        else f"Of what leave-one-out finds beyond chance, attention finds {100 * share:.0f} %."
    )
    return Check(
        "reach",
        "How much of it does attention find?",
        "Leave-one-out, which asks the model about each word, is the yardstick: how near does attention come?",
        found,
        speaks,
        f"100 % would be as good as asking the model about every word. Below {100 * LEAST:.0f} % most of what the "
        "answer depends on is not what attention shows; leave-one-out should then be shown beside it, or instead.",
    )


def _chance(audit: Audit) -> Check:
    needed, enough = audit.methods[ATTENTION].needed_beyond_chance, audit.methods[ATTENTION].enough_beyond_chance
    speak = {_beyond(needed), _beyond(enough)}
    speaks: Speaks = "for" if speak == {"for"} else "against" if "against" in speak else "open"
    return Check(
        "chance",
        "Is that more than chance?",
        "Is the difference from random words larger than the luck of which texts were drawn?",
        f"Beyond random words, those of attention are needed by {_against_chance(needed)}, "
        f"and enough by {_against_chance(enough)}.",
        speaks,
        "The mark is the mean difference from random words, the line its 95 % interval. "
        "Wholly right of 0 is better than chance; a line that touches 0 cannot be told from chance. "
        "Leave-one-out is itself made by taking words out, so this test favours it.",
    )


def _against_chance(value: Interval) -> str:
    said = {"for": "is better than chance", "against": "is worse than chance", "open": "cannot be told from chance"}
    judged = said[_beyond(value)]
    if _beyond(value) == "open" and value.low > 0:
        judged = "is better than chance, but hardly"
    ends = [value.low, value.high]
    digits = 2 if all(round(end, 2) or not end for end in ends) else 3  # an end near 0 must show its side
    low, high = (short(end, digits=digits) for end in ends)
    return f"{short(value.mean)} (95 %: {low} to {high}), which {judged}"


def _permutation(moved: Interval) -> Check:
    speaks: Speaks = "for" if moved.low > HARDLY else "against" if moved.high < HARDLY else "open"
    said = {
        "for": "the answer depends on where attention looks",
        "against": "the answer hardly depends on where attention looks",
        "open": "the answer depends a little on where attention looks",
    }[speaks]
    return Check(
        "permutation",
        "Does it matter where attention looks?",
        "Does the answer change when the weights are shuffled among the words?",
        f"Shuffled weights move {short(moved.mean)} of the probability to other labels: {said}.",
        speaks,
        "0: shuffling changes nothing, so a heatmap cannot tell why. 1: all probability moves to other labels. "
        f"Below {HARDLY} is hardly anything.",
    )


def _agreement(audit: Audit) -> Check:
    ours = {pair: tau for pair, tau in audit.agreement.items() if ATTENTION in pair.split(", ")}
    said = [f"{_other(pair)} {short(tau.mean)}" for pair, tau in ours.items() if isfinite(tau.mean)]
    return Check(
        "agreement",
        "Do the methods agree?",
        "Do different ways of asking which words matter put the words in the same order?",
        f"Agreement of attention with {_listed(said)}."
        if said
        else "Attention cannot be compared with another method.",
        "neither",
        "Kendall τ: 1 is the same order, 0 no relation, −1 the opposite order. Agreement is not correctness: "
        "two methods can be wrong together, and a method that disagrees can be right.",
    )


def _other(pair: str) -> str:
    return method_name(next((method for method in pair.split(", ") if method != ATTENTION), pair))


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _hops(audit: Audit) -> Check:
    overlap, even = audit.hops.mean_overlap, min(audit.hops.entropy) > EVEN
    n = len(audit.hops.entropy)
    first = "There is one hop" if overlap is None else f"The {n} hops overlap by {short(overlap)} on average"
    last = "every word weighs nearly the same, so a heatmap has nothing to show" if even else _sharpest(audit)
    reading = "Entropy: 1 is even over all words, 0 is all weight on one word."
    if overlap is not None:
        reading += (
            " Overlap: 1 (strong colour) is two hops that look at the same words alike, 0 (faint) two that share none. "
            "Hops that overlap much add little to each other."
        )
    return Check(
        "hops",
        "What do the hops look at?",
        "Does each hop single out words, and do different hops single out different ones?",
        f"{first}; {last}.",
        "against" if even else "neither",
        reading,
    )


def _sharpest(audit: Audit) -> str:
    entropy = audit.hops.entropy
    lowest = min(entropy)
    alone = f"its entropy is {short(lowest)}"
    return f"the sharpest is hop {entropy.index(lowest) + 1}: {alone}" if len(entropy) > 1 else alone


def _uniform(found: Mapping[str, Any]) -> Check:
    is_useful = round(found["difference"], 4) > LITTLE
    name = one_line(str(found["figure"]))
    return Check(
        "uniform",
        "Is learned attention of use?",
        "Does the model answer worse if it is trained again with equal weights for all words?",
        f"The {name} with learned weights is {short(found['learned'])}, with equal ones {short(found['uniform'])}: "
        f"learning where to look is of {'use' if is_useful else 'little use'} here.",
        "for" if is_useful else "against",
        f"If equal weights do as well (within {LITTLE}), the model does not need its attention for this task, "
        "and where it looks says little about its answers.",
    )


def _seeds(found: Mapping[str, Any]) -> Check:
    tau = Interval(**found["agreement"])
    speaks: Speaks = "for" if tau.low > STEADY else "against" if tau.high < UNSTEADY else "open"
    return Check(
        "seeds",
        "Is the heatmap stable?",
        "Do models that differ only in the seed of their training weigh the same words?",
        f"Heatmaps of {found['n']} models trained with other seeds agree with this one to {short(tau.mean)}.",
        speaks,
        f"Kendall τ: 1 is the same order of words, 0 no relation. Above {STEADY} is steady; "
        f"below {UNSTEADY} a heatmap tells more about the luck of training than about the text.",
    )


def _adversarial(found: Mapping[str, Any]) -> Check:
    share, distance = found["found"], Interval(**found["distance"])
    speaks: Speaks = "against" if share >= MANY else "for" if share < FEW else "open"
    return Check(
        "adversarial",
        "Would other weights do as well?",
        "Can weights that look elsewhere be found that give the same answer?",
        f"For {share * 100:.0f} % of the texts, weights that look elsewhere give nearly the same answer "
        f"(mean distance {short(distance.mean)}, change of the answer {short(found['output_change'], digits=3)}).",
        speaks,
        f"Jensen–Shannon distance: 0 is the same weights, {FARTHEST} weights that share no word. "
        "Where weights far away give the same answer, a heatmap is one story among several.",
    )
