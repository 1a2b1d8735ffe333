"""Explanation budget: the tokens that a request's explanations would run, estimated before any of them starts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from heedful.explain.attention.explanation import GRADIENT, INTEGRATED, LEAVE_ONE_OUT
from heedful.runtime.cancel import check_wanted
from heedful.serve.http.errors import Refused
from heedful.serve.models import ServedModel

NAMES = {LEAVE_ONE_OUT: "Leave-one-out", GRADIENT: "Gradient", INTEGRATED: "Integrated gradients"}
GRADIENT_COST = 4  # relative to one forward pass
CHARACTERS_PER_TOKEN = 5  # on average
INTEGRATED_STEPS = 50  # gradients for one integrated gradient


@dataclass(frozen=True)
class ExplanationPlan:
    """How one input is explained, with notes on the methods that were left out."""

    source: Any
    methods: tuple[str, ...]
    notes: tuple[str, ...] = ()


def plan_explanations(
    served: ServedModel, sources: Sequence[Any], methods: Sequence[str], *, budget: int
) -> list[ExplanationPlan]:
    """Return a plan for each input. A method that exceeds the rest of the token budget is left out, with a note."""
    plans, remaining = [], budget
    for source in sources:
        check_wanted()
        length, kept, notes = _length(served, source), [], []
        for method in methods:
            cost = _cost(method, length)
            if cost > remaining and method in NAMES:
                notes.append(_note(method, cost, budget, is_single=len(sources) == 1))
                continue
            kept.append(method)
            remaining -= cost
        plans.append(ExplanationPlan(source, tuple(kept), tuple(notes)))
    return plans


def estimate_cost(sizes: Iterable[int], methods: Sequence[str]) -> int:
    """Return a rough number of tokens for texts of these sizes in characters, to tell long calls from short ones."""
    lengths = [1 + size // CHARACTERS_PER_TOKEN for size in sizes]
    return sum(length + sum(_cost(method, length) for method in methods) for length in lengths)


def check_pair_count(served: ServedModel, first: str, second: str, *, budget: int) -> None:
    """Refuse two texts with more pairs of tokens than the budget allows."""
    pairs = _length(served, first) * _length(served, second)
    if pairs > budget:
        message = f"The two texts have {pairs:,} pairs of tokens; the limit is {budget:,}. Send shorter texts."
        raise Refused(422, message, code="over_budget")


def _length(served: ServedModel, source: Any) -> int:
    """Return the number of tokens or atoms of an input; of a pair, of both texts together."""
    if isinstance(source, tuple):
        return sum(_length(served, text) for text in source)
    return len(served.model.featuriser.features(source))


def _cost(method: str, length: int) -> int:
    costs = {
        LEAVE_ONE_OUT: length * length,
        GRADIENT: GRADIENT_COST * length,
        INTEGRATED: INTEGRATED_STEPS * GRADIENT_COST * length,
    }
    return costs.get(method, 0)


def _note(method: str, cost: int, budget: int, *, is_single: bool) -> str:
    advice = "Explain a part of the text instead." if is_single else "Send fewer or shorter texts."
    return (
        f"{NAMES[method]} was not done: it would run {cost:,} tokens for this text, and this server allows "
        f"{budget:,} per request. {advice}"
    )
