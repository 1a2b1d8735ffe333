"""Which way each check of an audit speaks, for the heatmaps or against them: thresholds and judgement, no words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from heedful.explain.attention.explanation import LEAVE_ONE_OUT
from heedful.explain.audit.audit import ATTENTION, RANDOM, Audit
from heedful.explain.audit.verdict_rules import LITTLE_MOVED, SLIGHT
from heedful.metrics.bootstrap import Interval

Speaks = Literal["for", "against", "open", "neither"]
CheckName = Literal[
    "needed", "enough", "chance", "reach", "permutation", "agreement", "hops", "uniform", "seeds", "adversarial"
]

DEEP: tuple[CheckName, ...] = ("uniform", "seeds", "adversarial")
OF_ATTENTION: tuple[CheckName, ...] = ("uniform", "adversarial")
HARDLY = LITTLE_MOVED  # by shuffling, as the verdict has it
LEAST, MOST = 0.2, 0.5  # share of what leave-one-out finds
LITTLE = 0.01  # accuracy that learned weights add to equal ones: no more is of little use
STEADY, UNSTEADY = 0.5, 0.3  # Kendall τ between seeds
MANY, FEW = 0.5, 0.1  # share of texts for which other weights give the same answer
EVEN = 0.99  # entropy of weights that single nothing out
FARTHEST = 0.693  # Jensen–Shannon: ln 2, weights that share no word


@dataclass(frozen=True)
class Check:
    """A check that was made, and which way it speaks."""

    name: CheckName
    speaks: Speaks


def checks(audit: Audit) -> list[Check]:
    """Return the checks that were made, in the order to be read."""
    made: list[Check] = []
    if {audit.subject, RANDOM} <= set(audit.methods):
        needed, enough = beyond_chance(audit)
        made += [Check("needed", needed), Check("enough", enough), Check("chance", _both(needed, enough))]
        made += [Check("reach", _reach(share_found(audit)))] if LEAVE_ONE_OUT in audit.methods else []
    of_attention = audit.subject == ATTENTION  # other checks of attention tell nothing about contributions
    if audit.permutation:
        made.append(Check("permutation", shuffling(audit.permutation) if of_attention else "neither"))
    made += [Check("agreement", "neither")] if audit.agreement else []
    is_against = of_attention and bool(audit.hops.entropy) and is_even(audit)
    made += [Check("hops", "against" if is_against else "neither")] if audit.hops.entropy else []
    judges = {"uniform": _uniform, "seeds": _seeds, "adversarial": _adversarial}
    deep = [name for name in DEEP if audit.deep.get(name)]
    judged = [name for name in deep if of_attention or name not in OF_ATTENTION]
    return made + [Check(name, judges[name](audit.deep[name]) if name in judged else "neither") for name in deep]


def against_chance(difference: Interval) -> Speaks:
    """Judge a difference from chance; one too small to matter decides nothing, however sure it is."""
    if abs(difference.mean) < SLIGHT:
        return "open"
    return "for" if difference.low > 0 else "against" if difference.high < 0 else "open"


def beyond_chance(audit: Audit) -> tuple[Speaks, Speaks]:
    """Judge whether the words that heatmaps mark are needed, and whether they are enough, beyond chance."""
    marked = audit.methods[audit.subject]
    return against_chance(marked.needed_beyond_chance), against_chance(marked.enough_beyond_chance)


def share_found(audit: Audit, method: str | None = None) -> float | None:
    """Return how much of what leave-one-out finds beyond chance a method finds; None if that is next to nothing.

    The method is by default the one that heatmaps show.
    """
    names = (method or audit.subject, LEAVE_ONE_OUT)
    marked, best = (audit.methods[name].needed_beyond_chance.mean for name in names)
    return max(0.0, marked / best) if best >= SLIGHT else None


def shuffling(moved: Interval) -> Speaks:
    """Judge how much probability moves when the weights are shuffled."""
    return "for" if moved.low > HARDLY else "against" if moved.high < HARDLY else "open"


def is_even(audit: Audit) -> bool:
    """Return whether every hop reads all words nearly alike."""
    return min(audit.hops.entropy) > EVEN


def is_useful(uniform: Mapping[str, Any]) -> bool:
    """Return whether learned weights are better than equal ones."""
    return bool(round(uniform["difference"], 4) > LITTLE)


def better_method(audit: Audit) -> str | None:
    """Return the method that is furthest beyond chance, if it surely is, and surely further than the one shown."""
    beyond = {name: f.needed_beyond_chance for name, f in audit.methods.items() if name != RANDOM}
    if audit.subject not in beyond:
        return None
    shown = beyond[audit.subject]
    sure = [
        name
        for name, interval in beyond.items()
        if interval.low > max(0.0, shown.high) and interval.mean - shown.mean >= SLIGHT
    ]
    return max(sure, key=lambda name: beyond[name].mean, default=None)


def _both(needed: Speaks, enough: Speaks) -> Speaks:
    if needed == enough == "for":
        return "for"
    return "against" if "against" in (needed, enough) else "open"


def _reach(share: float | None) -> Speaks:
    if share is None:
        return "open"
    return "for" if share >= MOST else "against" if share < LEAST else "open"


def _uniform(result: Mapping[str, Any]) -> Speaks:
    return "for" if is_useful(result) else "against"


def _seeds(result: Mapping[str, Any]) -> Speaks:
    tau = Interval(**result["agreement"])
    return "for" if tau.low > STEADY else "against" if tau.high < UNSTEADY else "open"


def _adversarial(result: Mapping[str, Any]) -> Speaks:
    share = result["found"]
    return "against" if share >= MANY else "for" if share < FEW else "open"
