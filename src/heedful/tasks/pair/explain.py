"""From a model's weights over two texts to weights over their words, and what each word does to the one answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import TextPair
from heedful.errors import HeedfulError
from heedful.explain.attention.explain import MOST_CELLS, check_can_explain, effect_methods
from heedful.explain.attention.explanation import LEAVE_ONE_OUT, Explanation
from heedful.explain.attention.model_input import RUN_TEXTS, Reading, answer_of, read
from heedful.store.verdict import Verdict
from heedful.tasks.pair.explanation import PairExplanation
from heedful.tasks.pair.model import PairModel, checked_pair

UNTESTED = Verdict(
    "not audited",
    "Not audited: audits are for single texts, so nothing has tested whether these weights show what the answer "
    "depends on. Go by the effects.",
)
Effects = tuple[NDArray[np.float64], NDArray[np.float64]]


def explain_pairs(
    model: PairModel,
    pairs: Sequence[Any],
    *,
    methods: str | Collection[str] = (LEAVE_ONE_OUT,),
    label: str | None = None,
    batch_size: int = 64,
) -> list[PairExplanation]:
    """Explain each pair; the result for one does not depend on the others."""
    methods = effect_methods(methods)
    check_can_explain_pairs(model, methods, label)
    readings = [(read(model, first), read(model, second)) for first, second in map(checked_pair, pairs)]
    explanations: dict[int, PairExplanation] = {}
    features = [TextPair(first.ids, second.ids) for first, second in readings]
    for batch, (scores, weights) in model.run(features, ("scores", "weights"), batch_size=1 if methods else batch_size):
        n = len(batch.positions)
        for row, i in enumerate(batch.positions):
            own = [weights[at, :, : batch.lengths[at]] for at in (row, row + n)]  # (hop, token) of either text
            answer = answer_of(model, scores[row])
            explanations[int(i)] = _explanation(model, readings[i], answer, own, label, has_effects=bool(methods))
    return [explanations[i] for i in range(len(readings))]


def check_can_explain_pairs(model: PairModel, methods: Collection[str], label: str | None) -> None:
    """Raise if the label or a method is unknown for pairs."""
    check_can_explain(model, methods, label)
    if other := [method for method in methods if method != LEAVE_ONE_OUT]:
        raise HeedfulError(f"{other[0]} is for single texts; pairs are explained by attention and {LEAVE_ONE_OUT}")
    if label is not None and not methods:
        raise HeedfulError("a label says whose effects to show, and attention has none: ask for leave-one-out too")


def _explanation(
    model: PairModel,
    readings: tuple[Reading, Reading],
    answer: NDArray[np.float64],
    weights: Sequence[NDArray[np.float32]],
    label: str | None,
    *,
    has_effects: bool,
) -> PairExplanation:
    best = model.labels[int(answer.argmax())]
    target = best if label is None else label
    note = _too_long(readings) if has_effects else ""
    effects = leave_one_out_of_two(model, readings, model.labels.index(target)) if has_effects and not note else None
    first, second = (
        Explanation(
            text=reading.text,
            words=reading.words,
            weights=np.asarray(reading.folded(own), dtype=np.float32),
            label=best,
            probabilities={name: float(p) for name, p in zip(model.labels, answer, strict=True)},
            read_to=reading.read_to,
            effects={LEAVE_ONE_OUT: effects[side]} if effects else {},
            target=target,
            verdict=UNTESTED,
            notes=(note,) if note else (),
            is_number=model.answer.is_number,
        )
        for side, (reading, own) in enumerate(zip(readings, weights, strict=True))
    )
    return PairExplanation(first, second, model.names)


def leave_one_out_of_two(model: PairModel, readings: tuple[Reading, Reading], target: int) -> Effects:
    """Return p(both) − p(both without the word) of a label, for each word of either text, the other staying whole."""
    first, second = readings
    variants = [
        TextPair(first.ids, second.ids),
        *(TextPair(first.without([i]), second.ids) for i in range(len(first.words))),
        *(TextPair(first.ids, second.without([i])) for i in range(len(second.words))),
    ]
    probabilities = np.zeros(len(variants))
    for batch, (scores,) in model.run(variants, ("scores",), batch_size=RUN_TEXTS):
        probabilities[batch.positions] = answer_of(model, scores)[:, target]
    falls = probabilities[0] - probabilities[1:]
    return falls[: len(first.words)], falls[len(first.words) :]


def _too_long(readings: tuple[Reading, Reading]) -> str:
    """Return why leave-one-out is not done; nothing where it is."""
    words = sum(len(reading.words) for reading in readings)
    cells = words * sum(len(reading.ids) for reading in readings)
    if cells <= MOST_CELLS:
        return ""
    return (
        f"Leave-one-out was not done: for {words:,} words it would run {cells:,} tokens, and at most {MOST_CELLS:,} "
        f"are run (texts of {int(MOST_CELLS**0.5):,} words together). Explain a part of the texts."
    )
