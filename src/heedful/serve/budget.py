"""How much one request may ask for: tokens that its explanations would run, counted before they are begun."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from heedful.explain.attention.explanation import GRADIENT, INTEGRATED, LEAVE_ONE_OUT
from heedful.runtime.cancel import check_wanted
from heedful.serve.http.errors import Refused
from heedful.serve.models import Held

NAMES = {LEAVE_ONE_OUT: "Leave-one-out", GRADIENT: "Gradient", INTEGRATED: "Integrated gradients"}
BACKWARD = 4  # times what an answer costs: a gradient
CHARACTERS = 5  # of a token, about
STEPS = 50  # gradients for one integrated


@dataclass(frozen=True)
class Planned:
    """One thing to be explained: how, and what was left out."""

    source: Any
    methods: tuple[str, ...]
    notes: tuple[str, ...] = ()


def planned(held: Held, sources: Sequence[Any], methods: Sequence[str], *, most: int) -> list[Planned]:
    """Return how each is explained. A method that would go past what one request may run is left out, with a note."""
    found, left = [], most
    for source in sources:
        check_wanted()
        length, kept, notes = _length(held, source), [], []
        for method in methods:
            cost = _cost(method, length)
            if cost > left and method in NAMES:
                notes.append(_note(method, cost, most, is_alone=len(sources) == 1))
                continue
            kept.append(method)
            left -= cost
        found.append(Planned(source, tuple(kept), tuple(notes)))
    return found


def guessed_cost(sizes: Iterable[int], methods: Sequence[str]) -> int:
    """Return about how many tokens texts of so many characters run: enough to tell long calls from short ones."""
    lengths = [1 + size // CHARACTERS for size in sizes]
    return sum(length + sum(_cost(method, length) for method in methods) for length in lengths)


def check_pairs(held: Held, first: str, second: str, *, most: int) -> None:
    """Refuse two texts whose pairs of words are too many."""
    pairs = _length(held, first) * _length(held, second)
    if pairs > most:
        said = f"The two texts have {pairs:,} pairs of tokens; one request may have {most:,}. Send shorter texts."
        raise Refused(422, said, code="over_budget")


def _length(held: Held, source: Any) -> int:
    """Return how many tokens, or atoms, a model reads; of two texts, of both."""
    if isinstance(source, tuple):
        return sum(_length(held, each) for each in source)
    return len(held.model.featuriser.features(source))


def _cost(method: str, length: int) -> int:
    return {LEAVE_ONE_OUT: length * length, GRADIENT: BACKWARD * length, INTEGRATED: STEPS * BACKWARD * length}.get(
        method, 0
    )


def _note(method: str, cost: int, most: int, *, is_alone: bool) -> str:
    what = "Ask about a part of the text." if is_alone else "Send fewer or shorter texts."
    return (
        f"{NAMES[method]} was not done: for this text it would run {cost:,} tokens, and this server runs at most "
        f"{most:,} for one request. {what}"
    )
