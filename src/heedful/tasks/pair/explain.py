"""From a model's weights over two texts to weights over their words, and what each word does to the one answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heedful.data.batch import Batch
from heedful.data.features import TextPair
from heedful.errors import HeedfulError
from heedful.explain.attention.explain import MOST_CELLS, check_can_explain, default_methods, effect_methods
from heedful.explain.attention.explanation import LEAVE_ONE_OUT, Explanation
from heedful.explain.attention.model_input import RUN_TEXTS, Reading, answer_of, read
from heedful.explain.pair_contributions import (
    MOST_PAIRS,
    BilinearAnswer,
    PairSum,
    TextRun,
    bilinear_answer,
    has_pair_contributions,
)
from heedful.store.verdict import Verdict
from heedful.tasks.pair.explanation import PairExplanation
from heedful.tasks.pair.model import PairModel, checked_pair

UNTESTED = Verdict(
    "not audited",
    "Not audited: audits are for single texts, so nothing has tested whether these weights show what the answer "
    "depends on. Go by the effects.",
)
UNTESTED_SUM = Verdict(
    "not audited",
    "Not audited: audits are for single texts. The contributions add up to the score exactly; to check them by leaving "
    "words out, ask for the method leave-one-out.",
)
Effects = tuple[NDArray[np.float64], NDArray[np.float64]]


def explain_pairs(
    model: PairModel,
    pairs: Sequence[Any],
    *,
    methods: str | Collection[str] | None = None,
    label: str | None = None,
    batch_size: int = 64,
) -> list[PairExplanation]:
    """Explain each pair; the result for one does not depend on the others.

    `methods` are checks beside the contributions. By default there are none; a model whose head is not bilinear has no
    contributions, and leave-one-out takes their place.
    """
    methods = effect_methods(default_methods(model) if methods is None else methods)
    check_can_explain_pairs(model, methods, label)
    readings = [(read(model, first), read(model, second)) for first, second in map(checked_pair, pairs)]
    explanations: dict[int, PairExplanation] = {}
    features = [TextPair(first.ids, second.ids) for first, second in readings]
    bilinear = bilinear_answer(model) if has_pair_contributions(model) else None
    outputs = ("scores", *(bilinear.outputs if bilinear else ("weights",)))
    for batch, arrays in model.run(features, outputs, batch_size=1 if methods else batch_size):
        for row, i in enumerate(batch.positions):
            result = _run_of(batch, row, arrays, readings[i], bilinear)
            explanations[int(i)] = _explanation(model, readings[i], result, label, has_effects=bool(methods))
    return [explanations[i] for i in range(len(readings))]


def check_can_explain_pairs(model: PairModel, methods: Collection[str], label: str | None) -> None:
    """Raise if the label or a method is unknown for pairs."""
    check_can_explain(model, methods, label)
    if other := [method for method in methods if method != LEAVE_ONE_OUT]:
        raise HeedfulError(f"{other[0]} is for single texts; pairs are explained by attention and {LEAVE_ONE_OUT}")
    if label is not None and not methods and not has_pair_contributions(model):
        raise HeedfulError("a label says whose effects to show, and attention has none: ask for leave-one-out too")


class _Run(NamedTuple):
    """Results of the graph for one pair."""

    scores: NDArray[Any]  # (label,)
    weights: Sequence[NDArray[np.float32]]  # (hop, token) of either text
    parts: PairSum | None


def _run_of(
    batch: Batch,
    row: int,
    arrays: Sequence[NDArray[Any]],
    readings: tuple[Reading, Reading],
    bilinear: BilinearAnswer | None,
) -> _Run:
    """Return the results of one pair in a batch; `arrays` are scores, weights and, if needed, states and rows."""
    scores, weights, *others = arrays
    places = (row, row + len(batch.positions))
    own = [weights[at, :, : batch.lengths[at]] for at in places]
    if bilinear is None:
        return _Run(scores[row], own, None)
    states, rows = others
    first, second = (
        TextRun(reading, each, states[at, : batch.lengths[at]], rows[at])
        for reading, each, at in zip(readings, own, places, strict=True)
    )
    return _Run(scores[row], own, bilinear.sum_of(first, second))


def _explanation(
    model: PairModel, readings: tuple[Reading, Reading], result: _Run, label: str | None, *, has_effects: bool
) -> PairExplanation:
    answer, parts = answer_of(model, result.scores), result.parts
    best = model.labels[int(answer.argmax())]
    target = best if label is None else label
    note = _too_long(readings) if has_effects else ""
    effects = leave_one_out_of_two(model, readings, model.labels.index(target)) if has_effects and not note else None
    notes = tuple(filter(None, (note, _too_many_pairs(readings, parts))))
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
            verdict=UNTESTED_SUM if parts else UNTESTED,
            notes=notes,
            is_number=model.answer.is_number,
            contributions=parts.contributions[side] if parts else None,
            hop_contributions=parts.by_hop[side] if parts else None,
        )
        for side, (reading, own) in enumerate(zip(readings, result.weights, strict=True))
    )
    if not parts:
        return PairExplanation(first, second, model.names)
    return PairExplanation(
        first,
        second,
        model.names,
        bias=parts.bias,
        scores=result.scores.astype(np.float64),
        own_contributions=parts.own,
        pair_contributions=parts.pairs,
    )


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
    """Return why leave-one-out is not done; "" if it is."""
    words = sum(len(reading.words) for reading in readings)
    cells = words * sum(len(reading.ids) for reading in readings)
    if cells <= MOST_CELLS:
        return ""
    return (
        f"Leave-one-out was not done: for {words:,} words it would run {cells:,} tokens, and at most {MOST_CELLS:,} "
        f"are run (texts of {int(MOST_CELLS**0.5):,} words together). Explain a part of the texts."
    )


def _too_many_pairs(readings: tuple[Reading, Reading], parts: PairSum | None) -> str:
    """Return why the pairs of words are left out; "" if they are not."""
    if parts is None or parts.pairs is not None:
        return ""
    first, second = (len(reading.words) for reading in readings)
    return (
        f"Pairs of words are not listed: {first:,} × {second:,} words and {len(parts.bias):,} scores have more than "
        f"{MOST_PAIRS:,} numbers. The contributions of the words have them in, and add up to the score."
    )
